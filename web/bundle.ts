import { join } from 'node:path'
import { build, type InlineConfig, type Rolldown } from 'vite'
import type { BuiltPage } from '../src/web/manifest.ts'

export interface Bundled {
  readonly pages: Readonly<Record<string, Omit<BuiltPage, 'head'>>>
  readonly files: readonly { readonly name: string; readonly content: string | Uint8Array }[]
}

/** What all builds share: nothing is read but what is given here. */
export const common = (web: string, importSource: 'preact' | 'react' = 'preact'): InlineConfig => ({
  configFile: false,
  envDir: false,
  publicDir: false,
  root: web,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource } },
})

/** Pages that share what they both load, of one of the two libraries; every file is named by its content. */
export async function bundlePages(
  web: string,
  pages: Readonly<Record<string, string>>,
  library: 'preact' | 'react',
): Promise<Bundled> {
  const output = await outputOf({
    ...common(web, library),
    // What a script loads later stands beside it, wherever the server is.
    base: './',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      target: 'es2022',
      // What a page of Preact loads later needs nothing that the page has not loaded.
      modulePreload: library === 'react' && { polyfill: false },
      cssCodeSplit: true,
      assetsInlineLimit: 0,
      rolldownOptions: {
        // React's packages say "use client" at the top, which means nothing where there is nothing but the browser.
        onLog: (level, log, say) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && say(level, log),
        input: Object.fromEntries(Object.entries(pages).map(([name, entry]) => [name, join(web, entry)])),
        output: {
          entryFileNames: '[name]-[hash].js',
          chunkFileNames: '[name]-[hash].js',
          assetFileNames: '[name]-[hash].[ext]',
        },
      },
    },
  })
  const chunks = output.filter((one) => one.type === 'chunk')
  const files = output.map((one) =>
    one.type === 'chunk'
      ? { name: one.fileName, content: one.code }
      : { name: one.fileName, content: one.source },
  )
  const entries = chunks.filter(({ isEntry }) => isEntry)
  return {
    files,
    pages: Object.fromEntries(entries.map((chunk) => [chunk.name, pageOf(chunk, chunks)])),
  }
}

function pageOf(
  entry: Rolldown.OutputChunk,
  chunks: readonly Rolldown.OutputChunk[],
): Omit<BuiltPage, 'head'> {
  const loaded = chunks.filter(({ fileName }) => entry.imports.includes(fileName))
  const styles = [entry, ...loaded].flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])])
  return { script: entry.fileName, preloads: entry.imports, styles }
}

/** One script that stands alone, for a page that is not built here. */
export async function bundleEmbedded(web: string, entry: string): Promise<string> {
  const output = await outputOf({
    ...common(web),
    build: {
      write: false,
      target: 'es2020',
      rolldownOptions: { input: join(web, entry), output: { format: 'iife' } },
    },
  })
  const [chunk] = output.filter((one) => one.type === 'chunk')
  if (!chunk) throw new Error(`Nothing was built out of ${entry}.`)
  return chunk.code
}

/** A module that the server runs, with all that it needs in it. */
export async function bundleServer(web: string, entry: string): Promise<string> {
  const output = await outputOf({
    ...common(web),
    ssr: { noExternal: true },
    build: { write: false, ssr: join(web, entry), target: 'node24', minify: false },
  })
  const [chunk] = output.filter((one) => one.type === 'chunk')
  if (!chunk) throw new Error(`Nothing was built out of ${entry}.`)
  return chunk.code
}

async function outputOf(config: InlineConfig): Promise<Rolldown.RolldownOutput['output'][number][]> {
  const built = await build(config)
  const outputs = Array.isArray(built) ? built : 'output' in built ? [built] : []
  return outputs.flatMap(({ output }) => [...output])
}
