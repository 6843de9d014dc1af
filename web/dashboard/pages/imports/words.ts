import type { Import } from '../../../../src/imports/asked/schema.ts'
import { importTexts } from '../../texts/imports.ts'

/** What an import is of: its file or the address of a server, or the kind of source. */
export const nameOfSource = ({ source, file_name: file }: Pick<Import, 'source' | 'file_name'>): string =>
  importTexts.sources[source] === undefined ? source : (file ?? importTexts.sources[source][0])

/** Whether an import goes on of itself. */
export const isInHand = ({ state, is_at_work: isAtWork }: Pick<Import, 'state' | 'is_at_work'>): boolean =>
  isAtWork && state !== 'checked'

export const wordOfState = ({ state, is_at_work: isAtWork }: Pick<Import, 'state' | 'is_at_work'>): string =>
  state === 'running' && !isAtWork ? importTexts.brokenOff : importTexts.states[state]
