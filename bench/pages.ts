import { writeFile } from 'node:fs/promises'
import { transaction } from '../src/context.ts'
import { createSeller } from '../test/factories.ts'
import { built } from '../test/web/built.ts'
import { compareServers } from './compare.ts'
import { pagesInBrowser } from './pages-in-browser.ts'
import { startKeywright } from './processes.ts'
import type { Benchmark } from './row.ts'
import { benchContext, environmentOf } from './seed.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** What a path is answered, byte by byte. */
export interface Sent {
  readonly path: string
  readonly type: string
  readonly body: string
}

/** The checkout: how fast page and files are served, against the same bytes from memory, and how soon a buyer has it. */
export const pages: Benchmark = async (options) => {
  await using closing = new AsyncDisposableStack()
  await built()
  const folder = await temporaryFolder(closing)
  const environment = environmentOf({ KEYWRIGHT_DATA: folder })
  const sent = await sentBy(environment)
  const file = `${folder}/pages.json`
  await writeFile(file, JSON.stringify(sent))
  const comparisons = sent.map(({ path, type, body }) => ({
    name: `${type.split(';')[0]} of the checkout, ${(body.length / 1024).toFixed(0)} KiB`,
    line: 0.75,
    calls: [{ method: 'GET', path } as const],
  }))
  const seeding = { environment: { ...environment, BENCH_PAGES: file }, seeded: { token: '' } }
  const served = await compareServers({ ...seeding, bare: 'pages-bare.ts' }, comparisons, options)
  return [...served, ...(await pagesInBrowser(options))]
}

/** The page of a product, and the largest file that it loads. */
async function sentBy(environment: ReturnType<typeof environmentOf>): Promise<readonly Sent[]> {
  const ctx = await benchContext(environment)
  const { product } = await transaction(ctx, (tx) => createSeller(tx)).finally(() => ctx.database.close())
  const server = await startKeywright(environment)
  try {
    const page = await fetched(server.address, `/checkout/product/${product.id}/`)
    const [, script = ''] = /<script type="module" src="([^"]+)"/.exec(page.body) ?? []
    return [page, await fetched(server.address, script)]
  } finally {
    await server.stop()
  }
}

async function fetched(address: string, path: string): Promise<Sent> {
  const response = await fetch(address + path, { headers: { 'accept-encoding': 'identity' } })
  if (response.status !== 200) throw new Error(`${path} was answered ${response.status}.`)
  return { path, type: response.headers.get('content-type') ?? '', body: await response.text() }
}
