import { NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Install } from '../../../../src/licensing/installs/schema.ts'
import type { LicenseFile } from '../../../../src/licensing/license-files/schema.ts'
import { fill } from '../../../shared/language.ts'
import { Dialog, Said, useDoing } from '../../../ui/doing.tsx'
import { ask } from '../../../ui/server.ts'
import { dayText } from '../../format.tsx'
import { useHere } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { machineIn, type Machine } from './request-file.ts'
import { siteOf } from './sites.ts'

const DAY_S = 86_400

/** How many of those on which it is active are to choose from; any other one is named. */
const MOST = 50

interface Making {
  readonly licenseId: string
  readonly close: () => void
}

/** Makes a signed file for a machine, which is activated first where it is not yet, and downloads it. */
export function OfflineFile({ licenseId, close }: Making) {
  const { path } = useHere()
  const query = { license_id: licenseId, count: MOST }
  const { data } = useQuery({
    queryKey: [`${path}/installs.json`, query],
    queryFn: () => ask<{ readonly installs: readonly Install[] }>(`${path}/installs.json`, query),
  })
  const [chosen, setChosen] = useState('')
  const [said, setSaid] = useState('')
  const [isNoRequest, setNoRequest] = useState(false)
  const making = useDoing<LicenseFile>(({ file, expires }) => {
    download(file, `license-${licenseId}.lic`)
    setSaid(fill(texts.fileMade, { until: dayText(expires) }))
  })
  const [ttl, setTtl] = useState(0)
  const make = (uid: string, seconds: number) =>
    making.send({
      method: 'POST',
      path: `${path}/licenses/${licenseId}/file.json`,
      body: { uid, ttl: seconds },
    })
  const activating = useDoing<Install>(({ uid }) => make(uid, ttl))
  const submit = async (form: FormData) => {
    setSaid('')
    const seconds = Math.round(Number(form.get('days')) * DAY_S)
    if (chosen !== '') {
      make(chosen, seconds)
      return
    }
    const machine = await machineOf(form)
    setNoRequest(machine === null)
    if (!machine) return
    setTtl(seconds)
    const { uid, title } = machine
    const body = { uid, license_id: licenseId, ...(title !== '' && { title }) }
    activating.send({ method: 'POST', path: `${path}/installs.json`, body })
  }
  const doing = {
    isBusy: activating.isBusy || making.isBusy,
    problem: activating.problem ?? making.problem,
  }
  return (
    <Dialog
      title={texts.offlineFile}
      isOpen
      close={close}
      act={texts.makeFile}
      doing={doing}
      fields={['ttl', 'uid', 'title']}
      submit={(form) => void submit(form)}
    >
      <p>{texts.offlineMore}</p>
      <NativeSelect
        label={texts.machine}
        value={chosen}
        onChange={(event) => setChosen(event.currentTarget.value)}
        data={[
          { value: '', label: texts.otherMachine },
          ...(data?.installs ?? []).map((install) => ({ value: install.uid, label: siteOf(install) })),
        ]}
      />
      {chosen === '' ? (
        <Named faultOf={activating.faultOf} requestFault={isNoRequest ? texts.noRequest : null} />
      ) : null}
      <TextInput
        name="days"
        label={texts.fileDays}
        defaultValue="30"
        inputMode="numeric"
        error={making.faultOf('ttl')}
      />
      <Said text={said} />
    </Dialog>
  )
}

interface NamedBy {
  readonly faultOf: (field: string) => string | undefined
  readonly requestFault: string | null
}

const Named = ({ faultOf, requestFault }: NamedBy) => (
  <>
    <TextInput
      name="request"
      type="file"
      label={texts.requestFile}
      description={texts.requestFileHelp}
      error={requestFault}
    />
    <TextInput
      name="uid"
      label={texts.machineId}
      description={texts.machineIdHelp}
      autoComplete="off"
      error={faultOf('uid')}
    />
    <TextInput name="title" label={texts.machineName} autoComplete="off" error={faultOf('title')} />
  </>
)

/** What the file says, or what is typed. Null: the file names no machine. */
async function machineOf(form: FormData): Promise<Machine | null> {
  const file = form.get('request')
  if (file instanceof File && file.size > 0) return machineIn(await file.text())
  const typed = (name: string) => String(form.get(name) ?? '').trim()
  return { uid: typed('uid'), title: typed('title') }
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
