import { readFileSync } from 'node:fs'
import { Failure, NO_ENTRY } from '../failure.ts'
import type { Reply } from './call.ts'

/** What to do about each code that a server refuses with; `npm run commands` writes it. */
export const HELPS_FILE = new URL('helps.json', import.meta.url)

interface Field {
  readonly field: string
  readonly message: string
}

interface Told {
  readonly status: number
  readonly requestId: string | null
  readonly fields?: readonly Field[]
  readonly help?: string | undefined
  /** Address of the page of the code. */
  readonly page?: string | undefined
}

/**
 * The server has answered that it does not do it. The exit code is 3 where it does not let the token in or what answers is
 * no Keywright, else 1.
 */
export class Refusal extends Failure {
  readonly told: Told

  constructor(code: string, message: string, told: Told, isNoEntry = told.status === 401) {
    super(code, message, isNoEntry ? NO_ENTRY : 1)
    this.told = told
  }

  override get details() {
    const { status, requestId, fields, help, page } = this.told
    return {
      status,
      request_id: requestId,
      ...(fields && { details: fields }),
      ...(help !== undefined && { help }),
      ...(page !== undefined && { documentation_url: page }),
    }
  }

  /** Fields that the message has not named already, what to do, and where more of it stands. */
  override get below(): string[] {
    const { fields = [], help, page } = this.told
    const isTold = ({ field, message }: Field) =>
      [field, message].every((text) => this.message.includes(text))
    const own = fields.filter((one) => !isTold(one)).map(({ field, message }) => `  ${field}: ${message}`)
    return [...own, ...(help === undefined ? [] : [help]), ...(page === undefined ? [] : [page])].map(
      harmless,
    )
  }
}

/** Nothing that a terminal obeys or that turns the direction of what is read, and in one line. */
export const harmless = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '')

/** What a server, or something before it, has refused with. */
export function refusalOf(reply: Reply): Refusal {
  const { status, json, headers } = reply
  const requestId = headers.get('x-request-id')
  const { code, message, details, documentation_url: page } = errorIn(json)
  if (typeof code !== 'string' || typeof message !== 'string') return strangeRefusal(reply, requestId)
  const seen = requestId === null ? `(${code})` : `(${code}, request ${requestId})`
  return new Refusal(code, harmless(`${message} ${seen}`), {
    status,
    requestId,
    help: helpOf(code),
    ...(Array.isArray(details) && { fields: details.filter(isField) }),
    ...(typeof page === 'string' && { page }),
  })
}

/** Of what is no Keywright, or stands before it. */
function strangeRefusal({ status, statusText, headers, url }: Reply, requestId: string | null): Refusal {
  const said = harmless(`${status} ${statusText}`.trim())
  const place = headers.get('location')
  const message =
    status < 400
      ? `${url} leads elsewhere (${said}${place === null ? '' : `, to ${harmless(place)}`}), where no token is sent: log in at that address.`
      : `${url} has answered ${said}, and not as Keywright does: is the address right, and the server up?`
  return new Refusal(`http_${status}`, message, { status, requestId }, true)
}

const isItem = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const isField = (value: unknown): value is Field =>
  isItem(value) && typeof value['field'] === 'string' && typeof value['message'] === 'string'

function errorIn(json: unknown): Readonly<Record<string, unknown>> {
  const error = isItem(json) ? json['error'] : undefined
  return isItem(error) ? error : {}
}

function helpOf(code: string): string | undefined {
  const helps = JSON.parse(readFileSync(HELPS_FILE, 'utf8')) as Readonly<Record<string, string>>
  return Object.hasOwn(helps, code) ? helps[code] : undefined
}

/** 304 is an answer to who asked whether there is another one. */
export const isRefused = ({ status }: Pick<Reply, 'status'>): boolean => status >= 300 && status !== 304
