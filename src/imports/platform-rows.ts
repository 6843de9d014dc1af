/** What of an account is here already of what a platform brings. */
export { findPersonsByEmail, findReferred, findSitesByAddress, rowsByKey, type Account } from './queries.ts'
