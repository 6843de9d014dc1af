import { TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Deployment } from '../../../../src/deployments/versions/schema.ts'
import { Dialog } from '../../Dialog.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { Uploading } from '../../Uploading.tsx'
import { useUpload } from '../../upload.ts'
import { useIsStaged } from './type.ts'

const SAID = ['version', 'requires_platform_version'] as const

const WORDS = { label: texts.uploadVersion, uploading: texts.uploading, over: texts.reading }

/** Uploads a version, which nobody is offered yet, and opens its page. */
export function UploadVersion({ close }: { readonly close: () => void }) {
  const { path, wayTo } = usePlace()
  const navigate = useNavigate()
  const isStaged = useIsStaged()
  const [file, setFile] = useState<File | null>(null)
  const [isWanting, setWanting] = useState(false)
  const uploading = useUpload<Deployment>(({ id }) => {
    close()
    void navigate(wayTo('deployment', id))
  })
  const submit = (form: FormData) => {
    setWanting(file === null)
    if (!file) return
    const said = SAID.map((name) => [name, String(form.get(name) ?? '').trim()])
    const data = Object.fromEntries(said.filter(([, value]) => value !== '')) as Record<string, string>
    uploading.send({ path: `${path}/tags.json`, files: { file }, data })
  }
  const leave = () => {
    uploading.stop()
    close()
  }
  return (
    <Dialog
      title={texts.uploadVersion}
      isOpen
      close={leave}
      act={texts.uploadVersion}
      doing={uploading}
      fields={['file', ...SAID]}
      submit={submit}
    >
      <TextInput
        name="file"
        type="file"
        accept=".zip,application/zip"
        label={texts.archive}
        description={texts.archiveHelp}
        error={isWanting ? texts.archiveWanted : uploading.faultOf('file')}
        onChange={({ target }) => {
          setFile(target.files?.[0] ?? null)
          setWanting(false)
        }}
      />
      <TextInput
        name="version"
        label={texts.version}
        description={texts.versionHelp}
        error={uploading.faultOf('version')}
      />
      {isStaged ? null : (
        <TextInput
          name="requires_platform_version"
          label={texts.requiresPlatform}
          error={uploading.faultOf('requires_platform_version')}
        />
      )}
      <Uploading share={uploading.share} file={file?.name ?? ''} words={WORDS} />
    </Dialog>
  )
}
