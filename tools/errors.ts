import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { operations, refusals } from '../src/app.ts'
import { answeredBy } from '../src/http/error-pages.ts'
import { isCommon } from '../src/http/refusals.ts'
import type { RefusalCode } from '../src/lib/errors.ts'

/** Where the table stands for readers; `npm run errors` writes it. */
export const ERRORS_FILE = join(import.meta.dirname, '../docs/errors.md')

const TEXT = `# Errors

A request that is refused is answered \`{ path, error, request }\`. A program decides by \`error.code\`; \`error.message\`
says it to a person, and \`error.details\` names the fields where some are to blame. There is no status 403, and 402
means that arguments are missing. More codes may come, so decide by the status where you do not know one.

\`error.documentation_url\` is the page of the code on the server itself (\`/docs/errors/{code}\`): when it is answered, by
whom, and what to do. An argument that is not known is 400 \`unknown_argument\` to a token of
an account, to who is logged in, in the operations beside the interface that sellers call with a token, and for who
sends \`X-Keywright-Strict: 1\`; a field that the operation answers may be sent back. Others, and who sends
\`X-Keywright-Strict: 0\`, have it ignored and named in the header \`Keywright-Ignored\`, as clients add some to every
call. One within an object or a list of them is named by its path (\`sites.0.tilte\`).

Who asks for what may not have been written yet, as a note or the subscription of a license, sends
\`X-Keywright-If-Any: 1\`: a GET that would be refused with 404 \`not_found\` is then answered 204, without a body.

## What follows from what an operation is

`

const OWN = `
## What some operations answer beside

`

/** The document of the codes. */
export function errorsDocument(): string {
  const codes = (Object.keys(refusals) as RefusalCode[]).toSorted()
  const own = codes.filter((code) => !isCommon(code))
  return [TEXT, ...table(codes.filter(isCommon)), OWN, ...table(own)].join('')
}

const table = (codes: readonly RefusalCode[]): string[] => [
  row(['code', 'status', 'when', 'who answers it']),
  row(['---', '---', '---', '---']),
  ...codes.map((code) => row([`\`${code}\``, String(refusals[code].status), refusals[code].says, by(code)])),
]

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`

const by = (code: RefusalCode) => answeredBy(code, { operations, refusals }, (id) => `\`${id}\``)

if (process.argv[1] === import.meta.filename) await writeFile(ERRORS_FILE, errorsDocument())
