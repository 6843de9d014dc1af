import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Problem } from '../../../shared/call.ts'
import { CopyButton } from '../../../ui/Copied.tsx'
import { Refusal } from '../../../ui/doing.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { send } from '../../../ui/server.ts'
import { texts } from '../../texts/texts.ts'

interface Shown {
  readonly secret_key: string
}

/** The key of a license, masked but for its end. Whoever has it shown or copies it is in the audit log. */
export function LicenseKey({ end, own }: { readonly end: string; readonly own: string }) {
  const place = useRef<HTMLElement>(null)
  const asking = useMutation({
    gcTime: 0,
    mutationFn: () =>
      send<Shown>({ method: 'POST', path: `${own}/key/show.json`, query: { fields: 'id,secret_key' } }),
  })
  const [isShown, setShown] = useState(false)
  const key = isShown ? asking.data?.secret_key : undefined
  const read = async (): Promise<string | null> => {
    const found = asking.data ?? (await asking.mutateAsync().catch(() => null))
    return found?.secret_key ?? null
  }
  const show = async () => setShown((await read()) !== null)
  return (
    <>
      <span className="copied">
        <code ref={place}>{key ?? `•••• ${end}`}</code>
        {key === undefined ? (
          <button type="button" className="icon-button" aria-label={texts.show} onClick={() => void show()}>
            <Icon name="eye" />
          </button>
        ) : null}
        <CopyButton text={read} shown={place} words={texts} what={texts.licenseKey} />
      </span>
      <Refusal problem={asking.error instanceof Problem ? asking.error : null} />
    </>
  )
}
