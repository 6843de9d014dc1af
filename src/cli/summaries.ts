import { readFileSync } from 'node:fs'
import type { Command } from './command.ts'

export type Summaries = Readonly<Record<string, Pick<Command, 'describe' | 'section'>>>

/** Where they stand; `npm run commands` writes it. */
export const SUMMARIES_FILE = new URL('summaries.json', import.meta.url)

/** What every command says of itself in one line, without loading any. */
export const summaries = (): Summaries => JSON.parse(readFileSync(SUMMARIES_FILE, 'utf8')) as Summaries
