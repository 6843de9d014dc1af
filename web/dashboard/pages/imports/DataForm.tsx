import { Button, Checkbox, Group, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState, type SubmitEvent } from 'react'
import type { Import } from '../../../../src/imports/asked/schema.ts'
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

/** The file that is brought in, and the one that may stand beside a server. */
const WANTED = {
  accept: '.zip,.csv,.jsonl,.json',
  label: importTexts.file,
  description: importTexts.fileHelp,
}
const OF_PLATFORM = { accept: '.zip', label: importTexts.file, description: importTexts.platformHelp }
const OPTIONAL = {
  accept: '.csv,.jsonl,.json',
  label: importTexts.methods,
  description: importTexts.methodsHelp,
}

const WORDS = { label: importTexts.file, uploading: importTexts.uploading, over: importTexts.uploaded }

interface Data {
  readonly source: (typeof SOURCES)[number]
  readonly back: () => void
}

/** What is to be read: a file, or the address and keys of a server. */
export function DataForm({ source, back }: Data) {
  const { file, isWanting, choose, uploading, form, submit } = useData(source)
  const [title, more] = wordsOfSource(source.name) ?? [source.name, '']
  const isServer = source.takes === 'server'
  const fields = ['file', ...(isServer ? OF_SERVER.map(([name]) => name) : [])]
  const leave = () => {
    uploading.stop()
    back()
  }
  return (
    <section className="panel card form" aria-label={title}>
      <h2>{title}</h2>
      <p className="muted">{more}</p>
      <form ref={form} className="stack" method="post" onSubmit={submit} noValidate>
        <Refusal problem={uploading.problem} fields={fields} />
        {isServer ? <OfServer faultOf={uploading.faultOf} /> : null}
        <TextInput
          name="file"
          type="file"
          {...(isServer ? OPTIONAL : source.takes === 'platform' ? OF_PLATFORM : WANTED)}
          error={isWanting ? importTexts.fileWanted : uploading.faultOf('file')}
          onChange={({ target }) => choose(target.files?.[0] ?? null)}
        />
        {source.takes === 'platform' ? (
          <Checkbox name="leave_out" label={importTexts.leaveOut} description={importTexts.leaveOutHelp} />
        ) : null}
        <Uploading share={file ? uploading.share : null} file={file?.name ?? ''} words={WORDS} />
        <Group>
          <Button type="submit" loading={uploading.isBusy}>
            {importTexts.look}
          </Button>
          <Button variant="default" onClick={leave}>
            {importTexts.back}
          </Button>
        </Group>
      </form>
    </section>
  )
}

/** Where a server is, and the keys that open it. */
const OfServer = ({ faultOf }: Pick<ReturnType<typeof useUpload>, 'faultOf'>) =>
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
  const [file, setFile] = useState<File | null>(null)
  const [isWanting, setWanting] = useState(false)
  const uploading = useUpload<Import>(({ id }) => void navigate(wayToImport(account.developer_id, id)))
  const form = useFirstFault(uploading.problem)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const isWanted = source.takes !== 'server' && file === null
    setWanting(isWanted)
    if (isWanted) return
    const typed = new FormData(event.currentTarget)
    const said =
      source.takes === 'server'
        ? OF_SERVER.map(([name]) => [name, String(typed.get(name) ?? '').trim()])
        : [['leave_out', typed.has('leave_out') ? 'true' : '']]
    const given = Object.fromEntries(said.filter(([, value]) => value !== '')) as Record<string, string>
    uploading.send({ path: `${accountPath}/imports.json`, file, data: { source: source.name, ...given } })
  }
  const choose = (chosen: File | null) => {
    setFile(chosen)
    setWanting(false)
  }
  return { file, isWanting, choose, uploading, form, submit }
}
