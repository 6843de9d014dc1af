import { useQuery } from '@tanstack/react-query'
import type { License } from '../../../../src/licensing/licenses/schema.ts'
import { Confirm } from '../../../ui/Confirm.tsx'
import { usePlace } from '../../place.ts'
import { productsQuery } from '../../products.ts'
import { texts } from '../../texts/texts.ts'
import { activeOn, useEnding, useOnSites } from './ending.ts'

interface OfLicense {
  readonly license: License
  /** What the calls about it begin with. */
  readonly own: string
  readonly close: () => void
}

/** The name of the product, which is typed where several sites are hit. */
function useTyped(license: License): string | undefined {
  const { account, product } = usePlace()
  const { data = [] } = useQuery(productsQuery(account.developer_id))
  return activeOn(license) > 1 ? data.find(({ id }) => id === product)?.title : undefined
}

/** Asks before a license is taken off all sites. */
export const Everywhere = ({ license, own, close }: OfLicense) => (
  <Confirm
    title={texts.deactivateAll}
    text={useOnSites()(license, texts.deactivateAllMore)}
    typed={useTyped(license)}
    keep={texts.keepLicense}
    sent={{ method: 'DELETE', path: `${own}/installs.json` }}
    close={close}
  />
)

/** Asks before a license ends, with what ends with it. */
export const CancelLicense = ({ license, own, close }: OfLicense) => (
  <Confirm
    title={texts.cancelLicense}
    text={useEnding(license, own)}
    typed={useTyped(license)}
    keep={texts.keepLicense}
    sent={{ method: 'DELETE', path: `${own}.json` }}
    close={close}
  />
)
