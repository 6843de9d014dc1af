import type { Import } from '../../../../src/imports/asked/schema.ts'
import { fill } from '../../../shared/language.ts'
import { importTexts } from '../../texts/imports.ts'
import { SOURCES } from './sources.ts'

/** How a source is called, what it is, and the words of the button that takes it; null: an address. */
export function wordsOfSource(name: string): readonly [title: string, more: string, take: string] | null {
  // Of several shops of a platform the name of one stands behind it.
  const title = SOURCES.find((one) => one.name === name.split(' ')[0])?.title
  return title === undefined
    ? (importTexts.sources[name] ?? null)
    : [title, fill(importTexts.ofPlatform, { title }), fill(importTexts.takePlatform, { title })]
}

/** What an import is of: its file or the address of a server, or the kind of source. */
export const nameOfSource = ({ source, file_name: file }: Pick<Import, 'source' | 'file_name'>): string => {
  const words = wordsOfSource(source)
  return words === null ? source : (file ?? words[0])
}

/** Whether an import goes on of itself. */
export const isInHand = ({ state, is_at_work: isAtWork }: Pick<Import, 'state' | 'is_at_work'>): boolean =>
  isAtWork && state !== 'checked'

export const wordOfState = ({ state, is_at_work: isAtWork }: Pick<Import, 'state' | 'is_at_work'>): string =>
  state === 'running' && !isAtWork ? importTexts.brokenOff : importTexts.states[state]
