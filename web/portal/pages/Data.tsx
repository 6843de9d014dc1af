import { Button, Group, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Problem } from '../../shared/call.ts'
import { fill } from '../../shared/language.ts'
import { useArchive } from '../../ui/archive.ts'
import { Dialog, faultIn, Refusal, Said } from '../../ui/doing.tsx'
import { send } from '../../ui/server.ts'
import { OffByMail } from '../OffByMail.tsx'
import { sessionQuery, useVisit } from '../session.ts'
import { texts } from '../texts/texts.ts'

/** What is stored of the user, as a file, and its end. */
export function Data() {
  const { user, off } = useVisit()
  const own = `/users/${user.id}`
  const archive = useArchive(own)
  const [isErasing, setErasing] = useState(false)
  const told = archive.isBusy ? texts.downloading : archive.isDone ? texts.downloaded : ''
  return (
    <section className="panel form stack">
      <h2>{texts.myData}</h2>
      <p className="muted">{texts.myDataMore}</p>
      <Refusal problem={archive.problem} />
      <Said text={told && fill(told, { count: String(archive.count) })} />
      <Group>
        {off.includes('export') ? null : (
          <Button variant="default" loading={archive.isBusy} onClick={archive.read}>
            {texts.download}
          </Button>
        )}
        {off.includes('erase') ? null : (
          <Button variant="default" onClick={() => setErasing(true)}>
            {texts.eraseMe}
          </Button>
        )}
      </Group>
      {off.includes('export') ? <OffByMail text={texts.exportByMail} /> : null}
      {off.includes('erase') ? <OffByMail text={texts.eraseByMail} /> : null}
      {isErasing ? <Erase own={own} email={user.email} close={() => setErasing(false)} /> : null}
    </section>
  )
}

interface Erasing {
  readonly own: string
  readonly email: string
  readonly close: () => void
}

/** Says what goes and what stays, and has the address typed again. */
function Erase({ own, email, close }: Erasing) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const erasing = useMutation({
    mutationFn: (typed: string) =>
      send({ method: 'POST', path: `${own}/erasure.json`, body: { email: typed } }),
    onSuccess: async () => {
      await navigate({ to: '/erased' })
      queries.clear()
      queries.setQueryData(sessionQuery.queryKey, null)
    },
  })
  const problem = erasing.error instanceof Problem ? erasing.error : null
  return (
    <Dialog
      title={texts.eraseMe}
      isOpen
      close={close}
      act={texts.eraseMe}
      keep={texts.eraseKeep}
      isDangerous
      doing={{ isBusy: erasing.isPending, problem }}
      fields={['email']}
      submit={(form) => {
        if (!erasing.isPending) erasing.mutate(String(form.get('email')).trim())
      }}
    >
      <p>{texts.eraseMore}</p>
      <p>{texts.eraseEnds}</p>
      <p>{texts.eraseGoes}</p>
      <p>{texts.eraseStays}</p>
      <TextInput
        name="email"
        type="email"
        autoComplete="off"
        label={fill(texts.eraseType, { email })}
        error={faultIn(problem, 'email')}
      />
    </Dialog>
  )
}
