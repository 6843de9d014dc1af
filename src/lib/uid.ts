import { ApiError } from './errors.ts'

const LENGTH = 32

/** 400 `invalid_uid` unless this is what an installation calls itself: 32 characters (`docs/decisions.md` 2.3). */
export function requireUid(uid: string): void {
  if ([...uid].length === LENGTH) return
  const message = `must be ${LENGTH} characters`
  throw new ApiError(400, 'invalid_uid', `The uid ${message}.`, { details: [{ field: 'uid', message }] })
}
