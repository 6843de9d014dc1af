import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Deployment } from '../../../../src/deployments/versions/schema.ts'
import { fill } from '../../../shared/language.ts'
import { useDoing } from '../../../ui/doing.tsx'
import { Dialog } from '../../Dialog.tsx'
import { numberText } from '../../format.tsx'
import { texts } from '../../texts/texts.ts'
import { useIsStaged } from './type.ts'

interface Releasing {
  readonly version: Deployment
  readonly own: string
  readonly close: () => void
  /** Told what was done, where a share became a number. */
  readonly say: (text: string) => void
}

const COUNTS = ['limit', 'percentage_limit'] as const
type Reach = 'all' | (typeof COUNTS)[number]

/** What a form says of how many users get it; undefined: no number that can be sent. */
function reachIn(form: FormData) {
  const reach = form.get('reach')
  if (reach === null) return {}
  const isIncremental = { is_incremental: form.has('incremental') }
  if (reach === 'all') return { limit: null, ...isIncremental }
  const count = String(form.get('count')).trim()
  return /^\d+$/.test(count) ? { [String(reach)]: Number(count), ...isIncremental } : undefined
}

/** Says to whom a version is offered, and to how many of them. */
export function ReleaseVersion({ version, own, close, say }: Releasing) {
  const isStaged = useIsStaged()
  const [isWanting, setWanting] = useState(false)
  const doing = useDoing<Deployment>(({ limit }, { body }) => {
    const { percentage_limit: share } = (body ?? {}) as { readonly percentage_limit?: number }
    const told = limit === 1 ? texts.shareIsOne : texts.shareIs
    say(share === undefined || limit === null ? '' : fill(told, { share, count: numberText(limit) }))
    close()
  })
  const isPending = version.release_mode === 'pending'
  const submit = (form: FormData) => {
    const reach = reachIn(form)
    setWanting(reach === undefined)
    if (!reach) return
    const body = { release_mode: form.get('stage'), is_sandbox: form.has('sandbox'), ...reach }
    doing.send({ method: 'PUT', path: `${own}.json`, body })
  }
  const fault = COUNTS.map(doing.faultOf).find((one) => one !== undefined)
  return (
    <Dialog
      title={fill(texts.releaseTitle, { version: version.version })}
      isOpen
      close={close}
      act={isPending ? texts.releaseVersion : texts.changeRelease}
      doing={doing}
      fields={isStaged ? COUNTS : []}
      submit={submit}
    >
      <NativeSelect
        name="stage"
        label={texts.releasedTo}
        defaultValue={isPending ? 'released' : version.release_mode}
        data={[
          { value: 'released', label: texts.toAll },
          { value: 'beta', label: texts.toBeta },
          { value: 'pending', label: texts.toNobody },
        ]}
      />
      {isStaged ? <Staging version={version} fault={isWanting ? texts.wholeNumber : fault} /> : null}
      <Checkbox name="sandbox" label={texts.isSandbox} defaultChecked={version.is_sandbox} />
    </Dialog>
  )
}

interface Staged {
  readonly version: Deployment
  readonly fault: string | undefined
}

/** To how many of those that it is for, and whether it may be skipped. */
function Staging({ version, fault }: Staged) {
  const [reach, setReach] = useState<Reach>(version.limit === null ? 'all' : 'limit')
  const isShare = reach === 'percentage_limit'
  return (
    <>
      <NativeSelect
        name="reach"
        label={texts.howMany}
        value={reach}
        onChange={({ target }) => setReach(target.value as Reach)}
        data={[
          { value: 'all', label: texts.reachAll },
          { value: 'limit', label: texts.reachNumber },
          { value: 'percentage_limit', label: texts.reachShare },
        ]}
        error={reach === 'all' ? fault : undefined}
      />
      {reach === 'all' ? null : (
        <TextInput
          key={reach}
          name="count"
          label={isShare ? texts.percent : texts.users}
          description={isShare ? texts.reachShareHelp : texts.reachCountHelp}
          inputMode="numeric"
          defaultValue={isShare ? '' : (version.limit ?? '')}
          error={fault}
        />
      )}
      <Checkbox name="incremental" label={texts.isIncremental} defaultChecked={version.is_incremental} />
    </>
  )
}
