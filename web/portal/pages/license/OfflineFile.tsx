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

/** Makes the file of a machine, which is activated first where it is not yet, and hands it to the browser. */
function useMaking(licenseId: string) {
  const { path } = useHere()
  const [said, setSaid] = useState('')
  const [ttl, setTtl] = useState(0)
  const making = useDoing<LicenseFile>(({ file, expires }) => {
    download(file, `license-${licenseId}.lic`)
    setSaid(fill(texts.fileMade, { until: dayText(expires) }))
  })
  const make = (uid: string, seconds: number) =>
    making.send({
      method: 'POST',
      path: `${path}/licenses/${licenseId}/file.json`,
      body: { uid, ttl: seconds },
    })
  const activating = useDoing<Install>(({ uid }) => make(uid, ttl))
  return {
    said,
    making,
    activating,
    /** Of a machine on which the license is active. */
    make(uid: string, seconds: number) {
      setSaid('')
      make(uid, seconds)
    },
    /** Of one that takes a place now. */
    makeFirst({ uid, title }: Machine, seconds: number) {
      setSaid('')
      setTtl(seconds)
      const body = { uid, license_id: licenseId, ...(title !== '' && { title }) }
      activating.send({ method: 'POST', path: `${path}/installs.json`, body })
    },
  }
}

/** Makes a signed file that proves a license on a machine without a network, and downloads it. */
export function OfflineFile({ licenseId, close }: Making) {
  const [chosen, setChosen] = useState('')
  const [isNoRequest, setNoRequest] = useState(false)
  const { said, making, activating, make, makeFirst } = useMaking(licenseId)
  const submit = async (form: FormData) => {
    const seconds = Math.round(Number(form.get('days')) * DAY_S)
    if (chosen !== '') {
      make(chosen, seconds)
      return
    }
    const machine = await machineOf(form)
    setNoRequest(machine === null)
    if (machine) makeFirst(machine, seconds)
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
      <Machines licenseId={licenseId} chosen={chosen} choose={setChosen} />
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

interface Choosing {
  readonly licenseId: string
  /** Its uid; empty: one that is to be named. */
  readonly chosen: string
  readonly choose: (uid: string) => void
}

/** The machines on which a license is active, and that which takes a place now. */
function Machines({ licenseId, chosen, choose }: Choosing) {
  const { path } = useHere()
  const query = { license_id: licenseId, count: MOST }
  const { data } = useQuery({
    queryKey: [`${path}/installs.json`, query],
    queryFn: () => ask<{ readonly installs: readonly Install[] }>(`${path}/installs.json`, query),
  })
  return (
    <NativeSelect
      label={texts.machine}
      value={chosen}
      onChange={(event) => choose(event.currentTarget.value)}
      data={[
        { value: '', label: texts.otherMachine },
        ...(data?.installs ?? []).map((install) => ({ value: install.uid, label: siteOf(install) })),
      ]}
    />
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
