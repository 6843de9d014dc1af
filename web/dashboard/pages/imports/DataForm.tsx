import { Button, Checkbox, Group, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode, type SubmitEvent } from 'react'
import type { Import } from '../../../../src/imports/asked/schema.ts'
import { useLeaving } from '../../Dialog.tsx'
import { Refusal, useFirstFault } from '../../../ui/doing.tsx'
import { usePlace } from '../../place.ts'
import { importTexts } from '../../texts/imports.ts'
import { Uploading } from '../../Uploading.tsx'
import { useUpload } from '../../upload.ts'
import { wayToImport } from '../../ways.ts'
import type { SOURCES } from './sources.ts'
import { wordsOfSource } from './words.ts'

const OF_SERVER = [
  ['url', importTexts.url, importTexts.urlHelp],
  ['from_developer_id', importTexts.developerId, undefined],
  ['public_key', importTexts.publicKey, undefined],
  ['secret_key', importTexts.secretKey, importTexts.secretKeyHelp],
] as const

/** What is asked of a platform beside its file. */
const OF_PLATFORM = [
  ['leave_out', importTexts.leaveOut, importTexts.leaveOutHelp],
  ['renew_here', importTexts.renewHere, importTexts.renewHereHelp],
] as const

/** The file that is brought in, and the one with methods of payment. */
const FILES = {
  file: { accept: '.zip,.csv,.jsonl,.json', label: importTexts.file, description: importTexts.fileHelp },
  platform: { accept: '.zip', label: importTexts.file, description: importTexts.platformHelp },
  payment_methods: {
    accept: '.csv,.jsonl,.json',
    label: importTexts.methods,
    description: importTexts.methodsHelp,
  },
} as const

/** By what a source takes: the names of its files and of what else is asked for. */
const FIELDS = {
  file: ['file'],
  platform: ['file', 'shop', ...OF_PLATFORM.map(([name]) => name), 'payment_methods'],
  server: [...OF_SERVER.map(([name]) => name), 'payment_methods'],
} as const

const WORDS = { label: importTexts.file, uploading: importTexts.uploading, over: importTexts.uploaded }

interface Data {
  readonly source: (typeof SOURCES)[number]
  readonly back: () => void
}

/** What is to be read: a file, or the address and keys of a server. */
export function DataForm({ source, back }: Data) {
  const { files, isWanting, choose, uploading, form, submit } = useData(source)
  const [title, more] = wordsOfSource(source.name) ?? [source.name, '']
  const { takes } = source
  const { faultOf } = uploading
  const [first] = Object.values(files)
  const leaving = useLeaving({
    isSaved: uploading.isDone,
    close: () => {
      uploading.stop()
      back()
    },
  })
  return (
    <section className="panel card form" aria-label={title}>
      <h2>{title}</h2>
      <p className="muted">{more}</p>
      <form ref={form} className="stack" method="post" {...leaving.noting} onSubmit={submit} noValidate>
        <Refusal problem={uploading.problem} fields={FIELDS[takes]} />
        {takes === 'server' ? (
          <OfServer faultOf={faultOf} />
        ) : (
          <TextInput
            name="file"
            type="file"
            {...FILES[takes]}
            error={isWanting ? importTexts.fileWanted : faultOf('file')}
            onChange={({ target }) => choose('file', target.files?.[0])}
          />
        )}
        {takes === 'platform' ? <OfPlatform faultOf={faultOf} /> : null}
        {takes === 'file' ? null : (
          <TextInput
            name="payment_methods"
            type="file"
            {...FILES.payment_methods}
            error={faultOf('payment_methods')}
            onChange={({ target }) => choose('payment_methods', target.files?.[0])}
          />
        )}
        <Uploading share={first ? uploading.share : null} file={first?.name ?? ''} words={WORDS} />
        <Group>
          <Button type="submit" loading={uploading.isBusy}>
            {importTexts.look}
          </Button>
          <Button variant="default" onClick={leaving.close}>
            {importTexts.back}
          </Button>
        </Group>
      </form>
      {leaving.asking}
    </section>
  )
}

type Faults = Pick<ReturnType<typeof useUpload>, 'faultOf'>

/** Which shop it is, and what is done with rows and subscriptions of it. */
const OfPlatform = ({ faultOf }: Faults): ReactNode => (
  <>
    <TextInput
      name="shop"
      label={importTexts.shop}
      description={importTexts.shopHelp}
      maxLength={100}
      autoComplete="off"
      error={faultOf('shop')}
    />
    {OF_PLATFORM.map(([name, label, help]) => (
      <Checkbox
        key={name}
        name={name}
        label={label}
        description={help}
        error={faultOf(name)}
        aria-invalid={faultOf(name) !== undefined}
      />
    ))}
  </>
)

/** Where a server is, and the keys that open it. */
const OfServer = ({ faultOf }: Faults) =>
  OF_SERVER.map(([name, label, help]) => (
    <TextInput
      key={name}
      name={name}
      label={label}
      description={help}
      type={name === 'secret_key' ? 'password' : 'text'}
      autoComplete="off"
      error={faultOf(name)}
    />
  ))

/** What was chosen and typed, and sending it. */
function useData(source: Data['source']) {
  const { account, accountPath } = usePlace()
  const navigate = useNavigate()
  const [files, setFiles] = useState<Readonly<Record<string, File>>>({})
  const [isWanting, setWanting] = useState(false)
  const uploading = useUpload<Import>(({ id }) => void navigate(wayToImport(account.developer_id, id)))
  const form = useFirstFault(uploading.problem)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const isWanted = source.takes !== 'server' && !files['file']
    setWanting(isWanted)
    if (isWanted) return
    const data = { source: source.name, ...saidIn(new FormData(event.currentTarget)) }
    uploading.send({ path: `${accountPath}/imports.json`, files, data })
  }
  const choose = (name: string, chosen: File | undefined) => {
    const { [name]: _, ...others } = files
    setFiles(chosen ? { ...others, [name]: chosen } : others)
    setWanting(false)
  }
  return { files, isWanting, choose, uploading, form, submit }
}

/** What was typed and ticked: a box that is not is no part of a form. */
function saidIn(form: FormData): Record<string, string> {
  const texts = [...form].flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value.trim()]] : [],
  )
  const ticked = OF_PLATFORM.filter(([name]) => form.has(name)).map(([name]) => [name, 'true'])
  return Object.fromEntries([...texts.filter(([, value]) => value !== ''), ...ticked]) as Record<
    string,
    string
  >
}
