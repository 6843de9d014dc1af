import { ApiError } from '../lib/errors.ts'
import { withoutEnd } from '../lib/without-end.ts'
import { inBlocks } from './blocks.ts'

/** What a body of parts may hold at most; sizes in bytes. */
export interface MultipartLimits {
  readonly parts: number
  readonly headers: number
  readonly name: number
}

export interface Part {
  readonly name: string
  /** Base name without path and controls; null for a plain field. */
  readonly filename: string | null
  /** Must be read to its end before the next part. */
  readonly chunks: AsyncGenerator<Buffer, void, undefined>
}

const LIMITS: MultipartLimits = { parts: 50, headers: 16_384, name: 100 }
/** Bytes of content that are not held back, whatever they look like. */
const PIECE = 16_384
const LF = 0x0a
const CR = 0x0d
const HEADER = /^([A-Za-z0-9-]{1,64}):(.*)$/

/** Blanks at the end of a line are none of its own. */
const withoutLineEnd = (line: string) => withoutEnd(line.endsWith('\r') ? line.slice(0, -1) : line, ' \t')

const malformed = (why: string) =>
  new ApiError(400, 'invalid_multipart', `The body is not well-formed: ${why}.`)

/** The boundary of a `multipart/form-data` content type; null when it is another type or has none. */
export function boundaryOf(contentType: string | undefined): string | null {
  const [, quoted, plain] =
    /^multipart\/form-data;.*?\bboundary=(?:"([^"\r\n]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType ?? '') ??
    []
  return quoted ?? plain ?? null
}

/**
 * Reads the parts of a body as they come, holding no more than a line or a chunk of it. It accepts what
 * existing clients send beside the standard (`docs/interface.md` 12.1): line ends of a bare LF, also beside those of
 * CR and LF, no line end after the last boundary, and content that follows the headers without an empty line.
 */
export async function* readParts(
  source: AsyncIterable<Buffer>,
  boundary: string,
  limits: MultipartLimits = LIMITS,
): AsyncGenerator<Part, void, undefined> {
  const bytes = new Bytes(source)
  const delimiter = `--${boundary}`
  let first = await bytes.line(limits.headers)
  if (first === '') first = await bytes.line(limits.headers)
  if (first !== delimiter) throw malformed('it does not begin with its boundary')
  for (let count = 1; ; count++) {
    if (count > limits.parts) throw malformed(`it has more than ${limits.parts} parts`)
    const headers = await readHeaders(bytes, limits)
    const end = { isLast: false, isRead: false }
    yield { ...nameOf(headers, limits), chunks: readContent(bytes, delimiter, end) }
    if (!end.isRead) throw new Error('A part was not read to its end.')
    if (end.isLast) return
  }
}

async function readHeaders(bytes: Bytes, { headers: limit }: MultipartLimits): Promise<Map<string, string>> {
  const headers = new Map<string, string>()
  for (let size = 0; size <= limit;) {
    const line = await bytes.peekLine(limit)
    if (line === null) return headers
    const [, name, value] = HEADER.exec(line.text) ?? []
    if (name === undefined || value === undefined) {
      if (line.text === '') bytes.skip(line.length)
      return headers
    }
    bytes.skip(line.length)
    size += line.length
    headers.set(name.toLowerCase(), value.replace(/^[ \t]+/, ''))
  }
  throw malformed('the headers of a part are too long')
}

function nameOf(headers: Map<string, string>, limits: MultipartLimits): Pick<Part, 'name' | 'filename'> {
  const disposition = headers.get('content-disposition') ?? ''
  if (!/^form-data\b/i.test(disposition)) throw malformed('a part has no name')
  const name = parameter(disposition, 'name')
  if (name === null || name === '' || name.length > limits.name) throw malformed('a part has no usable name')
  const filename = parameter(disposition, 'filename')
  if (/\p{Control}/u.test(name + (filename ?? ''))) throw malformed('a name has control characters')
  return { name, filename: filename === null ? null : baseName(filename) }
}

function parameter(text: string, name: string): string | null {
  const [, quoted, plain] =
    new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]*))`, 'i').exec(text) ?? []
  return quoted?.replaceAll(/\\(["\\])/g, '$1') ?? plain ?? null
}

/** Nothing of a path, and no quote, which could end a header. */
const baseName = (filename: string) =>
  filename
    .slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1)
    .replaceAll('"', '')
    .slice(0, 255)

async function* readContent(
  bytes: Bytes,
  delimiter: string,
  end: { isLast: boolean; isRead: boolean },
): AsyncGenerator<Buffer, void, undefined> {
  const needle = Buffer.from(`\n${delimiter}`, 'latin1')
  bytes.startWithLineEnd()
  for (let from = 0; ;) {
    const at = bytes.indexOf(needle, from)
    if (at === -1) {
      const room = bytes.length - needle.length - 1
      const chunk = bytes.take(room)
      if (chunk.length > 0) yield chunk
      from = Math.max(0, from - Math.max(0, room))
      if (!(await bytes.fill())) throw malformed('it ends within a part')
      continue
    }
    const after = await bytes.lineAt(at + needle.length)
    if (after.text !== '' && after.text !== '--') {
      // Content that looks like boundaries goes on in pieces of some size with what stands about it, and is not held.
      from = at + needle.length
      if (from >= PIECE) {
        yield bytes.take(from)
        from = 0
      }
      continue
    }
    // A CR before the line end is of it, whatever ended the lines above: no archive or picture ends in one.
    const hasCr = at > 0 && bytes.at(at - 1) === CR
    const last = bytes.take(hasCr ? at - 1 : at)
    if (last.length > 0) yield last
    bytes.skip((hasCr ? 1 : 0) + needle.length + after.length)
    end.isLast = after.text === '--'
    end.isRead = true
    return
  }
}

/** The bytes that have come and not been taken. */
class Bytes {
  readonly #source: AsyncIterator<Buffer>
  #buffer: Buffer = Buffer.alloc(0)
  #lineEndAdded = false

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = inBlocks(source)
  }

  get length(): number {
    return this.#buffer.length
  }

  at(index: number): number | undefined {
    return this.#buffer[index]
  }

  indexOf(needle: Buffer, from: number): number {
    return this.#buffer.indexOf(needle, from)
  }

  /** False at the end of the body. */
  async fill(): Promise<boolean> {
    const { value, done } = await this.#source.next()
    if (done) return false
    this.#buffer = this.#buffer.length === 0 ? value : Buffer.concat([this.#buffer, value])
    return true
  }

  /** Puts a line end before empty content, so that a boundary that follows at once is found. */
  startWithLineEnd(): void {
    this.#buffer = Buffer.concat([Buffer.from('\n'), this.#buffer])
    this.#lineEndAdded = true
  }

  take(count: number): Buffer {
    if (count <= 0) return Buffer.alloc(0)
    const taken = this.#buffer.subarray(this.#lineEndAdded ? 1 : 0, count)
    this.#lineEndAdded = false
    this.#buffer = this.#buffer.subarray(count)
    return taken
  }

  skip(count: number): void {
    this.#buffer = this.#buffer.subarray(count)
    this.#lineEndAdded = false
  }

  /** The line that begins at `start`, without its end; the rest where no line end comes any more. */
  async lineAt(start: number, limit = 1024): Promise<{ text: string; length: number }> {
    for (;;) {
      const end = this.#buffer.indexOf(LF, start)
      if (end !== -1 || this.#buffer.length - start > limit || !(await this.fill())) {
        const stop = end === -1 ? this.#buffer.length : end
        const line = this.#buffer.toString('utf8', start, Math.min(stop, start + limit))
        return { text: withoutLineEnd(line), length: (end === -1 ? stop : end + 1) - start }
      }
    }
  }

  /** The next line; null at the end of the body. */
  async peekLine(limit: number): Promise<{ text: string; length: number } | null> {
    if (this.length === 0 && !(await this.fill())) return null
    return this.lineAt(0, limit)
  }

  async line(limit: number): Promise<string> {
    const line = await this.peekLine(limit)
    if (!line) throw malformed('it is empty')
    this.skip(line.length)
    return line.text
  }
}
