import { fieldNames } from '../src/http/fields.ts'
import { boundaryOf } from '../src/http/multipart.ts'
import { FORMAT_CHECKS } from '../src/http/wire.ts'
import { escapeLike, fold } from '../src/lib/fold.ts'
import { parseIdList } from '../src/lib/id-list.ts'
import { parseJson } from '../src/lib/json.ts'
import { parseNumberList } from '../src/lib/number-list.ts'
import { passwordProblem, verifyPassword } from '../src/lib/password.ts'
import { parseRequestDate } from '../src/lib/request-date.ts'
import { parseAuthorization } from '../src/lib/signature.ts'
import { slugOf } from '../src/lib/slug.ts'
import { parseTimeText } from '../src/lib/time-text.ts'
import { asGivenOut, totpStep } from '../src/accounts/sessions/totp.ts'
import { foldedName, namesOf } from '../src/people/users/names.ts'

const LENGTH = 50_000
const TRIES = 5
const CHEAP = { memoryKib: 64, passes: 1, parallelism: 1 }

/** What is repeated up to 50,000 characters, between a beginning and an end that it may fit or break. */
const REPEATED = [
  ['a', '0', '1', 'é', '\u0301', '\u0316\u0301', 'ﷺ', '😀', '\ud800', '\u202e', '\u0000', 'ς', 'İ'],
  ['.', 'a.', '-', '@', 'a@', ':', '::', '1:', '1.', '/', '//', '?', '#', '%', '%20', '\\', '_', '&', '='],
  [
    ' ',
    '\t',
    '\n',
    '\r\n ',
    ' a',
    ',',
    ', ',
    '1,',
    ';',
    '; ',
    '"',
    '\\"',
    '(',
    '[',
    '{',
    '{"a":',
    '[1,',
    '+0',
  ],
].flat()
const AROUND = [
  ['', ''],
  ['', '!'],
  ['a@', '.com'],
  ['http://', '/'],
  ['https://a.com/?', '\u0000'],
  ['Bearer ', ' '],
  ['FS 1:pk_', ':'],
  ['Thu, 11 May 2023 11:45:30 ', '0'],
  ['2026-01-31 ', ''],
  ['multipart/form-data; boundary="', ''],
  ['multipart/form-data;', 'boundary='],
  ['$argon2id$v=19$m=64,t=1,p=1$', '$'],
  ['{"a":"', '"}'],
] as const

/** Everything that reads text of a caller before its length is known to be small. */
const READERS: readonly (readonly [name: string, read: (text: string) => unknown])[] = [
  ...FORMAT_CHECKS.map(([name, check]) => [`format ${name}`, check] as const),
  ['Authorization', parseAuthorization],
  ['Date', parseRequestDate],
  ['time', (text) => parseTimeText(text, 'first second')],
  ['JSON', (text) => refused(() => parseJson(Buffer.from(text)))],
  ['ids', parseIdList],
  ['numbers', parseNumberList],
  ['fields', fieldNames],
  ['boundary', boundaryOf],
  ['fold', fold],
  ['like', escapeLike],
  ['name', (text) => foldedName({ first: '', last: '', ...namesOf({ name: text }) })],
  ['slug', slugOf],
  ['one-time code', (text) => totpStep('JBSWY3DPEHPK3PXP', text, 0)],
  ['backup code', asGivenOut],
  ['password', passwordProblem],
  ['stored hash', (text) => verifyPassword('', text, CHEAP)],
]

export interface Slowest {
  readonly reader: string
  readonly ms: number
  readonly text: string
}

/** The slowest text of each reader, each the best of some tries, so that only the code's own time is left. */
export async function slowestTexts(): Promise<Slowest[]> {
  const texts = AROUND.flatMap(([before, after]) =>
    REPEATED.map((part) => before + part.repeat(LENGTH / part.length) + after),
  )
  const slowest: Slowest[] = []
  for (const [reader, read] of READERS) {
    let worst: Slowest = { reader, ms: 0, text: '' }
    for (const text of texts) {
      const ms = await bestOf(read, text)
      if (ms > worst.ms)
        worst = { reader, ms, text: JSON.stringify(`${text.slice(0, 40)}…${text.slice(-3)}`) }
    }
    slowest.push(worst)
  }
  return slowest.toSorted((a, b) => b.ms - a.ms)
}

async function bestOf(read: (text: string) => unknown, text: string): Promise<number> {
  let best = Infinity
  for (let tries = 0; tries < TRIES && best > 1; tries++) {
    const start = performance.now()
    await read(text)
    best = Math.min(best, performance.now() - start)
  }
  return best
}

function refused(read: () => unknown): void {
  try {
    read()
  } catch {
    // A refusal is what is timed.
  }
}
