import { partsOf, together, type Cut, type Part } from './cuts.ts'
import { withoutPremiumCode } from './premium-code.ts'
import { withoutSections } from './sections.ts'

export type Kind = 'free' | 'premium'

/** A text of an archive, and for which build it is read. */
export interface Source {
  readonly bytes: Buffer
  readonly kind: Kind
  readonly isPhp: boolean
}

export interface StrippedFile {
  readonly bytes: Buffer
  readonly parts: readonly { readonly part: Part; readonly line: number }[]
  readonly isChanged: boolean
}

/**
 * A file as it is in a build: without what is marked for the other one and the keys of the SDK. ArchiveRefused where it
 * cannot be told what is marked.
 */
export function strippedFile({ bytes, kind, isPhp }: Source): StrippedFile {
  const before = bytes.toString('latin1')
  const { text, parts } = stripped(before, kind, isPhp)
  return { bytes: Buffer.from(text, 'latin1'), parts, isChanged: text !== before }
}

function stripped(text: string, kind: Kind, isPhp: boolean) {
  const sections = withoutSections(text, kind === 'free' ? 'premium' : 'free')
  const isCode = isPhp && kind === 'free' && /__premium_only/i.test(sections.text)
  const none: readonly Cut[] = []
  const code = isCode ? withoutPremiumCode(sections.text) : { text: sections.text, cuts: none }
  const parts = partsOf(text, together(sections.cuts, code.cuts))
  return { text: isPhp ? withoutKeys(code.text, kind) : code.text, parts }
}

/** The SDK's settings: never the secret key, and the free build says that it is one. */
function withoutKeys(text: string, kind: Kind): string {
  if (!/fs_dynamic_init/i.test(text)) return text
  const open = text
    .replaceAll(/^[ \t]*(['"])secret_key\1\s*=>\s*(['"])[^'"\n]*\2[ \t]*(?:,[ \t]*)?\r?\n/gm, '')
    .replaceAll(/(['"])secret_key\1\s*=>\s*(['"])[^'"\n]*\2\s*,?/g, '')
  if (kind === 'premium') return open
  return open
    .replaceAll(/((['"])is_premium\2\s*=>\s*)true\b/gi, '$1false')
    .replaceAll(/^[ \t/*]*@fs_premium_only\b[^\r\n\u2028\u2029]*(?:\r\n?|\n)/gm, '')
}
