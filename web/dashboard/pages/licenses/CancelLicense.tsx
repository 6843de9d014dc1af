import type { License } from '../../../../src/licensing/licenses/schema.ts'
import { fill } from '../../../shared/language.ts'
import { Dialog, useDoing } from '../../doing.tsx'
import { texts } from '../../texts/texts.ts'

interface Cancelling {
  readonly license: License
  /** What the calls about it begin with. */
  readonly own: string
  readonly close: () => void
}

/** Asks before a license stops everywhere. */
export function CancelLicense({ license, own, close }: Cancelling) {
  const doing = useDoing(close)
  return (
    <Dialog
      title={texts.cancelLicense}
      isOpen
      close={close}
      act={texts.cancelLicense}
      keep={texts.keepLicense}
      isDangerous
      doing={doing}
      submit={() => doing.send({ method: 'DELETE', path: `${own}.json` })}
    >
      <p>{fill(texts.cancelLicenseMore, { count: license.activated })}</p>
    </Dialog>
  )
}
