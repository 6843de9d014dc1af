import type { WebOperation } from '../http/other-replies.ts'
import { notFound } from '../lib/errors.ts'
import { webBuild } from './build.ts'
import { BuiltFiles } from './files.ts'
import { FILES } from './html.ts'
import { fromBuild, replyUnbuilt } from './pages.ts'

const files = new BuiltFiles(webBuild)

/** Addresses that other sites have in their pages, by what stands there. */
const FIXED: Readonly<Record<string, readonly string[]>> = {
  'overlay.js': ['/js/v1', '/js/v1/'],
  'legacy.js': ['/js/v1/legacy', '/js/v1/legacy/', '/checkout.min.js', '/checkout.js'],
  'pricing.js': ['/js/v1/pricing', '/js/v1/pricing/'],
  'spinner.svg': ['/assets/img/spinner.svg'],
  'favicon.svg': ['/favicon.ico'],
}

const WHO_MAY_LOOK = 'User-agent: *\nAllow: /pricing/\nDisallow: /\n'

const fixedFile = (name: string, paths: readonly string[]): WebOperation => ({
  reply: 'web',
  id: `keywright/web-${name.replace('.', '-')}`,
  paths,
  handle: (ctx, { headers }) =>
    fromBuild(ctx, (built) => {
      if (typeof built === 'string') return replyUnbuilt(built)
      const file = built.fixed[name]
      if (file === undefined) throw notFound('file')
      return files.reply({ name: file, headers, about: built.files[file], isFixed: true })
    }),
  kept(_, { url, headers }) {
    const file = paths.includes(url) ? webBuild.found?.fixed[name] : undefined
    if (file === undefined) return null
    return files.kept({ name: file, headers, about: webBuild.found?.files[file], isFixed: true })
  },
})

/** What pages load, and what other sites load from here. */
export const fileOperations: readonly WebOperation[] = [
  {
    reply: 'web',
    id: 'keywright/web-file',
    paths: [`${FILES}{name}`],
    handle: (ctx, { params, headers }) =>
      fromBuild(ctx, (built) => {
        const name = params['name'] ?? ''
        return files.reply({
          name,
          headers,
          about: typeof built === 'string' ? undefined : built.files[name],
        })
      }),
    kept(_, { url, headers }) {
      const name = url.startsWith(FILES) ? url.slice(FILES.length) : ''
      return files.kept({ name, headers, about: webBuild.found?.files[name] })
    },
  },
  ...Object.entries(FIXED).map(([name, paths]) => fixedFile(name, paths)),
  {
    reply: 'web',
    id: 'keywright/web-robots',
    paths: ['/robots.txt'],
    handle: async () => ({
      status: 200,
      body: WHO_MAY_LOOK,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=86400' },
    }),
  },
]
