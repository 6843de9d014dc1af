import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { MailTemplateText } from '../../../../src/catalogue/mails/schema.ts'
import { Problem } from '../../../shared/call.ts'
import { send } from '../../../ui/server.ts'

export interface Draft {
  readonly subject: string
  readonly body: string
  readonly button: string
  readonly closing: string
}

interface Preview {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** So long nothing is typed before the mail is shown anew. */
const PAUSE_MS = 250

const draftOf = ({ subject, body, button, closing }: MailTemplateText): Draft => ({
  subject,
  body,
  button,
  closing,
})

/** What is typed, and the mail that comes of it or what is wrong with it, told a moment after the last key. */
export function useDraft(text: MailTemplateText, own: string) {
  const [draft, setDraft] = useState(() => draftOf(text))
  const [shown, setShown] = useState(draft)
  useEffect(() => {
    const timer = setTimeout(() => setShown(draft), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [draft])
  const { language } = text
  const { data, error } = useQuery({
    queryKey: [own, 'preview', language, shown],
    queryFn: () =>
      send<Preview>({ method: 'POST', path: `${own}/preview.json`, body: { ...shown, language } }),
    placeholderData: keepPreviousData,
  })
  return {
    draft,
    change: (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part })),
    isChanged: JSON.stringify(draft) !== JSON.stringify(draftOf(text)),
    preview: data,
    isRefused: error instanceof Problem,
    // What was said of an older text would go while somebody presses what stands below it, and move that away.
    problem: shown === draft && error instanceof Problem ? error : null,
  }
}
