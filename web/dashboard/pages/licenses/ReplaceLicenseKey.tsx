import { Checkbox } from '@mantine/core'
import type { License } from '../../../../src/licensing/licenses/schema.ts'
import { Dialog, useDoing } from '../../../ui/doing.tsx'
import { texts } from '../../texts/texts.ts'
import { useOnSites } from './ending.ts'

interface Replacing {
  readonly license: License
  readonly own: string
  readonly close: () => void
}

/** Gives a license another key, as after the one it has was passed on; its subscription and end stay. */
export function ReplaceLicenseKey({ license, own, close }: Replacing) {
  const onSites = useOnSites()
  const doing = useDoing<License>(close)
  return (
    <Dialog
      title={texts.replaceLicenseKey}
      isOpen
      close={close}
      act={texts.replaceLicenseKey}
      isDangerous
      doing={doing}
      submit={(form) =>
        doing.send({
          method: 'POST',
          path: `${own}/key.json`,
          query: { fields: 'id' },
          body: { deactivate_installs: form.has('everywhere') },
        })
      }
    >
      <p>{onSites(license, texts.replaceLicenseKeyMore)}</p>
      <Checkbox name="everywhere" label={texts.replaceKeyEverywhere} />
    </Dialog>
  )
}
