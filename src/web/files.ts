import type { IncomingHttpHeaders } from 'node:http'
import { isKnown } from '../http/conditional.ts'
import type { Soon, WebReply } from '../http/other-replies.ts'
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

  reply(wanted: Wanted): Soon<WebReply> {
    const { name, headers, about } = wanted
    if (typeOf(name) === undefined) throw notFound('file')
    const sent = inForm(name, encodingOf(headers['accept-encoding'], about))
    return this.kept(wanted) ?? this.#read(sent.file).then((body) => this.#answer(wanted, sent, body))
  }

  /** What was read before; null: it must be. */
  kept(wanted: Wanted): WebReply | null {
    const { name, headers, about } = wanted
    const sent = inForm(name, encodingOf(headers['accept-encoding'], about))
    const body = this.#kept.get(sent.file)
    return body ? this.#answer(wanted, sent, body) : null
  }

  #answer({ name, headers, isFixed = false }: Wanted, { tag, encoding }: Form, body: Buffer): WebReply {
    return {
      status: isKnown(headers['if-none-match'], tag) ? 304 : 200,
      body,
      headers: this.#headersOf(tag, { type: typeOf(name) ?? '', encoding, isFixed }),
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

  async #read(file: string): Promise<Buffer> {
    const bytes = await this.#build.file(file)
    if (!bytes) throw notFound('file')
    this.#kept.set(file, bytes)
    return bytes
  }
}

const typeOf = (name: string): string | undefined => TYPES[NAME.exec(name)?.[1] ?? '']

/** A file as it is sent: which that is, and the tag of its content. */
interface Form {
  readonly file: string
  readonly tag: string
  readonly encoding: keyof typeof SUFFIX | null
}

const inForm = (name: string, encoding: Form['encoding']): Form =>
  encoding === null
    ? { file: name, tag: name, encoding }
    : { file: `${name}${SUFFIX[encoding]}`, tag: `${name}-${encoding}`, encoding }

const SUFFIX = { br: '.br', gzip: '.gz' } as const

/** The smallest form that the browser takes. */
function encodingOf(accepted: string | undefined, about: BuiltFile | undefined): keyof typeof SUFFIX | null {
  const names = (accepted ?? '').split(',').map((one) => one.trim().split(';')[0])
  if (about?.br !== undefined && names.includes('br')) return 'br'
  return about?.gzip !== undefined && names.includes('gzip') ? 'gzip' : null
}
