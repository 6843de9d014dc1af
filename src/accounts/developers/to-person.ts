import type { DeveloperRow } from './developer.entity.ts'

type Person = Pick<DeveloperRow, 'id' | 'email' | 'first' | 'last' | 'language'>

/** Where a mail to a person about its own account goes, and in what language it is written. */
export const toPerson = ({ id, email, first, last, language }: Person) => ({
  developerId: id,
  productId: null,
  userId: null,
  recipient: email,
  language,
  name: `${first} ${last}`.trim(),
})
