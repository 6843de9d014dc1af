import type { IncomingHttpHeaders } from 'node:http'
import { isKnown } from '../http/conditional.ts'
import type { WebReply } from '../http/other-replies.ts'
import { keptHeaders } from '../http/respond.ts'
import { notFound } from '../lib/errors.ts'
import type { WebBuild } from './build.ts'
import type { BuiltFile } from './manifest.ts'

/** What an address stands for never changes: the name has the hash of the content. */
const LASTING = 'public, max-age=31536000, immutable'

/** What stands at an address that never changes may be another version soon. */
const FIXED = 'public, max-age=300, stale-while-revalidate=86400'

const NAME = /^[\w-]+\.(\w+)$/

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

interface Wanted {
  readonly name: string
  readonly headers: IncomingHttpHeaders
  /** What the build says of it; a file of an earlier build is not listed, and sent as it is. */
  readonly about: BuiltFile | undefined
  /** Whether the address never changes, so that what stands there may. */
  readonly isFixed?: boolean
}

interface Sent {
  readonly type: string
  readonly encoding: keyof typeof SUFFIX | null
  readonly isFixed: boolean
}

/** Sends files of the build, packed as the browser takes them; each is read once. */
export class BuiltFiles {
  readonly #build: Pick<WebBuild, 'file'>
  readonly #kept = new Map<string, Buffer>()
  readonly #headers = new Map<string, WebReply['headers']>()

  constructor(build: Pick<WebBuild, 'file'>) {
    this.#build = build
  }

  async reply({ name, headers, about, isFixed = false }: Wanted): Promise<WebReply> {
    const type = TYPES[NAME.exec(name)?.[1] ?? '']
    if (type === undefined) throw notFound('file')
    const encoding = encodingOf(headers['accept-encoding'], about)
    const bytes = await this.#bytes(encoding === null ? name : `${name}${SUFFIX[encoding]}`)
    if (!bytes) throw notFound('file')
    const tag = encoding === null ? name : `${name}-${encoding}`
    return {
      status: isKnown(headers['if-none-match'], tag) ? 304 : 200,
      body: bytes,
      headers: this.#headersOf(tag, { type, encoding, isFixed }),
    }
  }

  #headersOf(tag: string, { type, encoding, isFixed }: Sent): WebReply['headers'] {
    const key = isFixed ? `fixed ${tag}` : tag
    const known = this.#headers.get(key)
    if (known) return known
    const made = keptHeaders({
      'content-type': type,
      ...(encoding !== null && { 'content-encoding': encoding }),
      vary: 'accept-encoding',
      etag: `"${tag}"`,
      'cache-control': isFixed ? FIXED : LASTING,
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
    this.#headers.set(key, made)
    return made
  }

  async #bytes(file: string): Promise<Buffer | undefined> {
    const kept = this.#kept.get(file)
    if (kept) return kept
    const bytes = await this.#build.file(file)
    if (bytes) this.#kept.set(file, bytes)
    return bytes
  }
}

const SUFFIX = { br: '.br', gzip: '.gz' } as const

/** The smallest form that the browser takes. */
function encodingOf(accepted: string | undefined, about: BuiltFile | undefined): keyof typeof SUFFIX | null {
  const names = (accepted ?? '').split(',').map((one) => one.trim().split(';')[0])
  if (about?.br !== undefined && names.includes('br')) return 'br'
  return about?.gzip !== undefined && names.includes('gzip') ? 'gzip' : null
}
