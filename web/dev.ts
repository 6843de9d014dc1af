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
  [/^\/dashboard(\/|$|\?)/, 'dashboard'],
  // What its links lead to is of the server.
  [/^\/portal\/?($|\?|(?!login)[a-z])/, 'portal'],
]

/** Pages of whoever signs in: the server has put into them who that is. */
const APPS: readonly string[] = ['dashboard', 'portal']

/** The HTML of a page whose script is not built. */
async function htmlFor(dev: ViteDevServer, asked: Asked): Promise<string> {
  const page = { script: '', preloads: [], styles: [], head: '' }
  const { name, url } = asked
  const data = APPS.includes(name) ? await givenBy(asked) : { prefix: '', product: null }
  const html = htmlOf({ page, title: 'Keywright', prefix: '', data })
  return dev.transformIndexHtml(url, html.replace('/-/web/"', `/${name}/main.tsx"`))
}

interface Asked {
  readonly name: string
  readonly url: string
  readonly cookie: string | undefined
}

/** What the server puts into its own page at an address; where that is not built, as who may be signed in. */
async function givenBy({ url, cookie }: Asked): Promise<unknown> {
  const page = await fetch(server + url, { headers: { accept: 'text/html', cookie: cookie ?? '' } })
  const [, data] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(await page.text()) ?? []
  return data === undefined
    ? { prefix: '', mayBeSignedIn: true, isIn: true, place: null }
    : { ...(JSON.parse(data) as object), prefix: '' }
}

/** The files that React draws, beside those of Preact in one server. */
const BY_REACT = /\/web\/(dashboard|portal|ui)\/.*\.tsx$/

const react = (): Plugin => ({
  name: 'react',
  enforce: 'pre',
  transform: (code, id) =>
    BY_REACT.test(id.split('?')[0] ?? '') ? `/** @jsxImportSource react */ ${code}` : null,
})

const pages = (): Plugin => ({
  name: 'pages',
  configureServer(dev) {
    dev.middlewares.use((request, response, next) => {
      const { url = '/', headers } = request
      const name = PAGES.find(([path]) => path.test(url))?.[1]
      if (name === undefined || !headers.accept?.includes('text/html')) return next()
      htmlFor(dev, { name, url, cookie: headers.cookie }).then(
        (text) => response.setHeader('content-type', 'text/html').end(text),
        next,
      )
    })
  },
})

const dev = await createServer({
  ...common(import.meta.dirname),
  appType: 'custom',
  plugins: [react(), pages()],
  cacheDir: join(import.meta.dirname, 'dist/dev'),
  server: { port, proxy: { '^/(v1|docs|portal/login|sign-in|readyz|assets|favicon)': server } },
})
await dev.listen()
const [address] = dev.resolvedUrls?.local ?? []
console.log(`The pages are at ${address}, with the server at ${server}.`)
