import { Type, type Static } from '../../lib/type.ts'
import {
  Arguments,
  Choice,
  Fields,
  Id,
  MadeBetween,
  Optional,
  Paging,
  Text,
  Sorted,
} from '../../http/wire.ts'
import { parseNumberList } from '../../lib/number-list.ts'
import { isReason } from '../../lib/reasons.ts'
import { INSTALL } from './install.entity.ts'

export const INSTALL_FILTERS = [
  'all',
  'active',
  'inactive',
  'trial',
  'paying',
  'uninstalled',
  'active_premium',
  'active_free',
] as const
export type InstallFilter = (typeof INSTALL_FILTERS)[number]

const Ids = (description: string) => Optional(Text({ max: 2000, format: 'ids', description }))

const { user_id, title, version, license_id, plan_id, environment } = INSTALL.filter

const common = {
  license_id,
  plan_id,
  environment,
  ...Paging,
  ...Fields,
}

export const InstallList = Arguments({
  ids: Ids('Keeps these installs, uninstalled ones too.'),
  install_ids: Ids('The same.'),
  filter: Choice(INSTALL_FILTERS, { default: 'all', description: 'Keeps the installs in this state.' }),
  all: Type.Boolean({ default: false, description: 'True: uninstalled ones too.' }),
  version,
  title,
  url: Optional(Text({ max: 2048, description: 'Keeps one host, whatever its protocol, port and path.' })),
  search: Optional(
    Text({
      max: 255,
      description: 'Part of a domain, an ID of a site, or part of what was said at an uninstall.',
    }),
  ),
  reason_id: Optional(
    Type.Refine(
      Type.String({ maxLength: 100, description: 'Keeps what was uninstalled for these reasons, 1 to 15.' }),
      (text) => parseNumberList(text)?.every(isReason) === true,
      () => 'must be a comma-separated list of reasons from 1 to 15',
    ),
  ),
  user_id,
  ...MadeBetween,
  ...Sorted,
  ...common,
})
export type InstallList = Static<typeof InstallList>

export const InstallsOfUser = Arguments({ install_ids: Ids('Keeps these installs.'), ...common })
export type InstallsOfUser = Static<typeof InstallsOfUser>

export const CountFilter = Arguments({
  plan_id: Optional(Id('Counts the installs with an unexpired license of this plan.')),
  is_active: Optional(Type.Boolean({ description: 'Counts the installs in use, or those that are not.' })),
})
export type CountFilter = Static<typeof CountFilter>

export const Count = Type.Object({ count: Type.Integer() })
