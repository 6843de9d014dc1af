import { encode } from 'uqr'

/** Modules of white that a scanner needs around a code (ISO/IEC 18004). */
const QUIET = 4
/** Pixels of a module. */
const SIZE = 4

/** A text as a QR code, black on white in either look, as scanners want it. */
export function ScannedCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { size, data } = encode(text, { ecc: 'M', border: QUIET })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  const side = size * SIZE
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      width={side}
      height={side}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </svg>
  )
}
