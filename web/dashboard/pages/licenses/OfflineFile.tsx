import { NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Install } from '../../../../src/licensing/installs/schema.ts'
import type { LicenseFile } from '../../../../src/licensing/license-files/schema.ts'
import { fill } from '../../../shared/language.ts'
import { Said, useDoing } from '../../../ui/doing.tsx'
import { Dialog } from '../../Dialog.tsx'
import { usePlace } from '../../place.ts'
import { ask } from '../../../ui/server.ts'
import { texts } from '../../texts/texts.ts'
import { siteOf } from '../installs/columns.tsx'

const DAY_S = 86_400

interface Making {
  readonly id: string
  readonly own: string
  readonly close: () => void
}

/** Makes a signed file that proves a license without a network, for one machine or any, and downloads it. */
export function OfflineFile({ id, own, close }: Making) {
  const { path } = usePlace()
  const query = { license_id: id, count: 50 }
  const { data } = useQuery({
    queryKey: [`${path}/installs.json`, query],
    queryFn: () => ask<{ readonly installs: readonly Install[] }>(`${path}/installs.json`, query),
  })
  const [said, setSaid] = useState('')
  const doing = useDoing<LicenseFile>(({ file, expires }) => {
    download(file, `license-${id}.lic`)
    setSaid(fill(texts.fileMade, { until: expires }))
  })
  const machines = (data?.installs ?? []).flatMap((install) =>
    install.uid ? [{ value: install.uid, label: siteOf(install) }] : [],
  )
  const submit = (form: FormData) => {
    const uid = String(form.get('uid'))
    const ttl = Number(form.get('days')) * DAY_S
    doing.send({ method: 'POST', path: `${own}/file.json`, body: { ttl, ...(uid !== '' && { uid }) } })
  }
  return (
    <Dialog
      title={texts.offlineFile}
      isOpen
      close={close}
      act={texts.fileDo}
      doing={doing}
      fields={['uid', 'ttl']}
      submit={submit}
    >
      <NativeSelect
        name="uid"
        label={texts.machine}
        description={texts.machineHelp}
        data={[...machines, { value: '', label: texts.anyMachine }]}
        key={machines.length}
        error={doing.faultOf('uid')}
      />
      <TextInput
        name="days"
        label={texts.fileDays}
        description={texts.fileDaysHelp}
        defaultValue="30"
        inputMode="numeric"
        error={doing.faultOf('ttl')}
      />
      <Said text={said} />
    </Dialog>
  )
}

/** Hands a text to the browser as a file. */
function download(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 1_000)
}
