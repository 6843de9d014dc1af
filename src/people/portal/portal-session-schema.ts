import { Type, type Static } from '../../lib/type.ts'
import { PORTAL_PARTS } from '../../access/portal-parts.ts'
import { Arguments, Choice, Id, IdText, Nullable, Optional, Text } from '../../http/wire.ts'
import { PAGE_LANGUAGES } from '../../http/page-languages.ts'
import { SellingUnit } from '../../http/selling-unit.ts'
import { PortalLook } from './portal-looks.ts'

const Off = (description: string) => Type.Array(Choice(PORTAL_PARTS), { description })

/** Who is in the portal, and what of the seller they have. */
export const PortalSession = Type.Object(
  {
    user: Type.Object({
      id: IdText(),
      email: Type.String(),
      first: Type.String(),
      last: Type.String(),
      language: Nullable(
        Type.String({ description: 'Chosen for pages and mails, as `de`; null: none was.' }),
      ),
    }),
    products: Type.Array(
      Type.Object({
        id: IdText(),
        title: Type.String(),
        icon: Nullable(Type.String()),
        type: Type.String(),
        selling_unit_label: SellingUnit,
        off: Off('What the product has switched off here.'),
        look: PortalLook,
      }),
      { description: 'What the link has opened, the latest first.' },
    ),
    off: Off('What about the user is switched off here: `off` of each product has it.'),
    is_view_only: Type.Boolean({
      description: 'Whether somebody of the seller looks, who can change nothing.',
    }),
    expires: Type.Integer({ description: 'Seconds.' }),
    csrf_token: Type.String({ description: 'For `X-Keywright-CSRF`, which writes with the cookie need.' }),
  },
  { title: 'PortalSession' },
)
export type PortalSession = Static<typeof PortalSession>

export const AskForPortalLink = Arguments({
  email: Text({ max: 254, format: 'email', description: 'Who is mailed.' }),
  product_id: Optional(Id('ID of the product; or')),
  store_id: Optional(Id('ID of the store, where no product is named: of whichever of its products.')),
  language: Optional(Text({ max: 35, description: 'Of the mail, such as `de`.' })),
})
export type AskForPortalLink = Static<typeof AskForPortalLink>

export const PutPortalLanguage = Arguments({
  language: Nullable(
    Choice(PAGE_LANGUAGES, { description: 'Of pages and mails; null: as browser and site say.' }),
  ),
})
export type PutPortalLanguage = Static<typeof PutPortalLanguage>

export const LeavePortal = Arguments({
  everywhere: Optional(
    Type.Boolean({ description: 'End every visit of the user, and every access token of theirs.' }),
  ),
})
