/** Headers of an answer that its caller may keep, and ask for again by its tag (`docs/decisions.md` 1.5). */
export const validatorsOf = (tag: string) => ({ etag: `W/"${tag}"`, 'cache-control': 'private, no-cache' })

/** Whether an If-None-Match header names this state, strongly or weakly, alone or in a list (RFC 9110, 13.1.2). */
export function isKnown(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const tags = ifNoneMatch.split(',').map((one) => one.trim().replace(/^W\//, ''))
  return tags.includes(`"${tag}"`) || tags.includes('*')
}
