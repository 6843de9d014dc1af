import { fold } from './fold.ts'

/** Whether text is folded and has letters, digits, hyphens and underscores only, of any script. */
export const isSlug = (text: string): boolean => /^[\p{L}\p{M}\p{N}_-]+$/u.test(text) && fold(text) === text

/** A title as it stands in an address: `My Plan!` → `my-plan`; empty where nothing of it can stand there. */
export const slugOf = (title: string): string =>
  fold(title)
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
