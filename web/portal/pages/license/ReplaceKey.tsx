import { Checkbox } from '@mantine/core'
import { Dialog, useDoing } from '../../../ui/doing.tsx'
import { useHere } from '../../place.ts'
import { texts } from '../../texts/texts.ts'

interface Replacing {
  /** What the calls about the license begin with. */
  readonly own: string
  readonly close: () => void
  readonly done: () => void
}

/** Gives the license another key, and says before what that stops and what it does not. */
export function ReplaceKey({ own, close, done }: Replacing) {
  const { isOff } = useHere()
  const doing = useDoing(done)
  return (
    <Dialog
      title={texts.replaceKey}
      isOpen
      close={close}
      act={texts.replaceKey}
      keep={texts.keepKey}
      isDangerous
      doing={doing}
      submit={(form) =>
        doing.send({
          method: 'POST',
          path: `${own}/key.json`,
          body: { deactivate_installs: form.has('everywhere') },
        })
      }
    >
      <p>{texts.replaceKeyMore}</p>
      {isOff('deactivate_all') ? null : (
        <Checkbox name="everywhere" label={texts.replaceKeySites} description={texts.replaceKeySitesMore} />
      )}
    </Dialog>
  )
}
