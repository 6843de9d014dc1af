import { queryOptions } from '@tanstack/react-query'
import type { StoreEmailAddress } from '../../../../src/catalogue/stores/addresses-schema.ts'
import { askIfAny } from '../../../ui/server.ts'
import { texts } from '../../texts/texts.ts'

type Sender = keyof typeof texts.sender

/** What mails of a store may be from, each with an address of its own. */
export const SENDER_KINDS = Object.keys(texts.sender) as readonly Sender[]

export const sendersPath = (own: string): string => `${own}/emails/addresses.json`

/** Who the mails of a store come from; of one that has said nothing every field is missing. */
export const sendersQuery = (own: string) =>
  queryOptions({
    queryKey: [sendersPath(own)],
    queryFn: async (): Promise<Partial<StoreEmailAddress>> =>
      (await askIfAny<StoreEmailAddress>(sendersPath(own))) ?? {},
  })
