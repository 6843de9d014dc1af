import type { Install } from '../../../../src/licensing/installs/schema.ts'

/** What the buyer knows an install by. */
export const siteOf = ({ url, title, uid }: Install): string => url ?? title ?? uid
