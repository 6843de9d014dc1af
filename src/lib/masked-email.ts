/** An address of which no more is told than who knows it knows it by: `ada@example.com` → `a…@e….com`. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  const dot = domain.lastIndexOf('.')
  const first = (text: string) => `${[...text][0] ?? ''}…`
  return `${first(email.slice(0, Math.max(at, 0)))}@${first(domain)}${dot > 0 ? domain.slice(dot) : ''}`
}
