import type { ReactNode } from 'react'

/** Text in which names stand between backticks. */
export const Marked = ({ text }: { readonly text: string }): ReactNode =>
  text.split('`').map((part, n) => (n % 2 === 0 ? part : <code key={n}>{part}</code>))
