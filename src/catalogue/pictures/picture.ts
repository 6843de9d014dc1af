import type * as ImageSize from 'image-size'
import { lazy } from '../../lib/lazy.ts'

const library = lazy<typeof ImageSize>('image-size')

/** What a picture may be at most (contract: icons and portraits). */
export const PICTURE_MAX_BYTES = 200 * 1024
const PICTURE_MAX_PIXELS = 300

export type PictureType = 'image/png' | 'image/jpeg' | 'image/gif'

/** The first bytes of each kind: what a file is called says nothing. */
const KINDS: readonly { readonly type: PictureType; readonly begins: readonly number[] }[] = [
  { type: 'image/png', begins: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: 'image/jpeg', begins: [0xff, 0xd8, 0xff] },
  { type: 'image/gif', begins: [0x47, 0x49, 0x46, 0x38] },
]

/** The kind of a picture by its content; null when it is none of them. */
export const pictureType = (bytes: Uint8Array): PictureType | null =>
  KINDS.find(({ begins }) => begins.every((byte, index) => bytes[index] === byte))?.type ?? null

/** Why these bytes are no picture that is taken; null when they are one (`docs/security-checks.md` S31). */
export function pictureProblem(bytes: Uint8Array): string | null {
  if (bytes.length > PICTURE_MAX_BYTES) return `must have at most ${PICTURE_MAX_BYTES} bytes`
  if (pictureType(bytes) === null) return 'must be a JPG, PNG or GIF picture'
  const size = sizeOf(bytes)
  if (!size) return 'must be a whole JPG, PNG or GIF picture'
  if (size.width > PICTURE_MAX_PIXELS || size.height > PICTURE_MAX_PIXELS) {
    return `must have at most ${PICTURE_MAX_PIXELS}×${PICTURE_MAX_PIXELS} pixels`
  }
  return null
}

function sizeOf(bytes: Uint8Array): { width: number; height: number } | null {
  try {
    const { width, height } = library().imageSize(bytes)
    return width > 0 && height > 0 ? { width, height } : null
  } catch {
    return null
  }
}
