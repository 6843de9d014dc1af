import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EVENT_TYPES } from '../src/db/tables/event-types.ts'
import { RECORDED } from '../src/events/log/event-meanings.ts'

/** Where the table stands for readers; `npm run events` writes it. */
export const EVENTS_FILE = join(import.meta.dirname, '../docs/events.md')

const TEXT = `# Events

What happened, by type. An event is written with what it tells of, or neither is. \`data\` holds ids as text and the
values before (\`from\`) and after (\`to\`) that matter; \`objects\` what is concerned, as it is when it is read, false
where it is deleted. More types may come, so leave those alone that you do not know. Users and installs, who read the
events of an install, are told neither what the seller remarks on a user nor the e-mail addresses in \`data\`, and an
install no address of its user. How events are delivered stands in [webhooks.md](webhooks.md).

`

/** The document of the types. */
export function eventsDocument(): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`
  const known = Object.entries(RECORDED).map(([type, [when, data, objects]]) =>
    row([`\`${type}\``, when, data, objects]),
  )
  const others = EVENT_TYPES.filter((type) => !(type in RECORDED)).map((type) => `\`${type}\``)
  return [
    TEXT,
    row(['type', 'when', 'data', 'objects']),
    row(['---', '---', '---', '---']),
    ...known,
    `\nThese types are known, so that a listener may name them, and recorded by nothing yet: ${others.join(', ')}.\n`,
  ].join('')
}

if (process.argv[1] === import.meta.filename) await writeFile(EVENTS_FILE, eventsDocument())
