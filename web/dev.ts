import { join } from 'node:path'
import { env } from 'node:process'
import { createServer, type Plugin, type ViteDevServer } from 'vite'
import { htmlOf } from '../src/web/html.ts'
import { common } from './bundle.ts'

/**
 * `npm run dev:web`: the pages as they are written, each change shown at once. What they ask for is passed on to the
 * server at `KEYWRIGHT_DEV_SERVER`, as are its other pages; the policy of the built pages does not hold here.
 */
const server = env['KEYWRIGHT_DEV_SERVER'] ?? 'http://127.0.0.1:8080'
/** 0: any that is free. */
const port = Number(env['KEYWRIGHT_DEV_PORT'] ?? 5173)

/** Pages by the beginning of their paths. */
const PAGES: readonly (readonly [path: RegExp, name: string])[] = [
  [/^\/checkout\/designer/, 'designer'],
  [/^\/(checkout|product|plugin|app|mode)\//, 'checkout'],
  [/^\/\?.*(plugin|product)_id=/, 'checkout'],
  [/^\/contact\//, 'contact'],
]

/** The HTML of a page whose script is not built. */
async function htmlFor(dev: ViteDevServer, url: string, name: string): Promise<string> {
  const page = { script: '', preloads: [], styles: [], head: '' }
  const html = htmlOf({ page, title: 'Keywright', prefix: '', data: { prefix: '', product: null } })
  return dev.transformIndexHtml(url, html.replace('/-/web/"', `/${name}/main.tsx"`))
}

const pages = (): Plugin => ({
  name: 'pages',
  configureServer(dev) {
    dev.middlewares.use((request, response, next) => {
      const { url = '/', headers } = request
      const name = PAGES.find(([path]) => path.test(url))?.[1]
      if (name === undefined || !headers.accept?.includes('text/html')) return next()
      void htmlFor(dev, url, name).then((text) => response.setHeader('content-type', 'text/html').end(text))
    })
  },
})

const dev = await createServer({
  ...common(import.meta.dirname),
  appType: 'custom',
  plugins: [pages()],
  cacheDir: join(import.meta.dirname, 'dist/dev'),
  server: { port, proxy: { '^/(v1|docs|portal|assets|favicon)': server } },
})
await dev.listen()
const [address] = dev.resolvedUrls?.local ?? []
console.log(`The pages are at ${address}, with the server at ${server}.`)
