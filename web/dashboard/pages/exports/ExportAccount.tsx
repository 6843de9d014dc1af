import { NativeSelect } from '@mantine/core'
import type { Export } from '../../../../src/lists/exports/schema.ts'
import { useDoing } from '../../../ui/doing.tsx'
import { Dialog } from '../../Dialog.tsx'
import { usePlace } from '../../place.ts'
import { wholeTexts } from '../../texts/whole.ts'
import { Password } from '../../Password.tsx'

const FORMATS = [
  { value: 'jsonl', label: wholeTexts.jsonl },
  { value: 'csv', label: wholeTexts.csv },
]

/** Asks the password again, then has all that the account has written to a file. */
export function ExportAccount({ close }: { readonly close: () => void }) {
  const { accountPath } = usePlace()
  const doing = useDoing<Export>(close)
  const submit = (form: FormData) => {
    const body = { format: form.get('format'), current_password: form.get('current_password') }
    doing.send({ method: 'POST', path: `${accountPath}/exports/account.json`, body })
  }
  return (
    <Dialog
      title={wholeTexts.export}
      isOpen
      close={close}
      act={wholeTexts.export}
      doing={doing}
      fields={['format', 'current_password']}
      submit={submit}
    >
      <p>{wholeTexts.exportMore}</p>
      <p className="note">{wholeTexts.keys}</p>
      <NativeSelect name="format" label={wholeTexts.format} data={FORMATS} error={doing.faultOf('format')} />
      <Password error={doing.faultOf('current_password')} />
    </Dialog>
  )
}
