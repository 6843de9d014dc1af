import { rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'
import { createTestFolder } from '../folder.ts'

/**
 * A script that draws a component into `#root`, bundled as shops do: with JSX, and with Preact in the place of React,
 * whose interface it has.
 */
export async function bundledReact(source: string, component: string): Promise<string> {
  const folder = await createTestFolder('react')
  try {
    await symlink(join(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'))
    await writeFile(join(folder, 'shop.jsx'), source)
    await writeFile(
      join(folder, 'main.jsx'),
      `import { createRoot } from 'react-dom/client'
import { ${component} } from './shop.jsx'
createRoot(document.getElementById('root')).render(<${component} />)`,
    )
    const built = await build({
      configFile: false,
      envDir: false,
      publicDir: false,
      root: folder,
      logLevel: 'warn',
      oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
      resolve: {
        alias: [
          { find: 'react-dom/client', replacement: 'preact/compat/client' },
          { find: /^react(-dom)?$/, replacement: 'preact/compat' },
        ],
      },
      build: { write: false, rolldownOptions: { input: join(folder, 'main.jsx') } },
    })
    const outputs = Array.isArray(built) ? built : 'output' in built ? [built] : []
    const [chunk] = outputs.flatMap(({ output }) => output).filter((one) => one.type === 'chunk')
    if (!chunk) throw new Error('Nothing was built.')
    return chunk.code
  } finally {
    await rm(folder, { recursive: true })
  }
}
