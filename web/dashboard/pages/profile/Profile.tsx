import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Developer } from '../../../../src/accounts/developers/schema.ts'
import { Said } from '../../../ui/doing.tsx'
import { nameOf, State } from '../../format.tsx'
import { PageHead } from '../../parts.tsx'
import { Facts } from '../../../ui/parts.tsx'
import { sessionQuery } from '../../session.ts'
import { texts } from '../../texts/texts.ts'
import { Choices } from './Choices.tsx'
import { ChangeEmail, ChangeName, ChangePassword } from './PersonForms.tsx'
import { Sessions } from './Sessions.tsx'
import { SwitchOff, SwitchOn } from './TwoFactor.tsx'

type Form = 'name' | 'email' | 'password' | 'two-factor on' | 'two-factor off'

/** Who is signed in: the name, the address, how that person logs in, and where it is logged in. */
export function Profile() {
  const { data: session } = useQuery(sessionQuery)
  const [open, setOpen] = useState<Form | null>(null)
  const [said, setSaid] = useState('')
  if (!session) return null
  const { person } = session
  const isOn = person.auth === 'app2fa'
  const done = (text: string) => {
    setSaid(text)
    setOpen(null)
  }
  const of = { person, done, close: () => setOpen(null) }
  const opener = (form: Form, label: string) => (
    <Button key={form} variant="default" onClick={() => setOpen(form)}>
      {label}
    </Button>
  )
  return (
    <>
      <PageHead
        title={texts.profile}
        about={texts.profileAbout}
        actions={[
          opener('name', texts.changeName),
          opener('email', texts.changeEmail),
          opener('password', texts.changePassword),
          isOn ? opener('two-factor off', texts.twoFactorOff) : opener('two-factor on', texts.twoFactorOn),
        ]}
      />
      <Said text={said} />
      <div className="two">
        <Sessions />
        <div className="stack">
          <Facts facts={factsOf(person, isOn)} />
          <Choices person={person} />
        </div>
      </div>
      {open === 'name' ? <ChangeName {...of} /> : null}
      {open === 'email' ? <ChangeEmail {...of} /> : null}
      {open === 'password' ? <ChangePassword {...of} /> : null}
      {open === 'two-factor off' ? <SwitchOff {...of} /> : null}
      {open === 'two-factor on' ? <SwitchOn {...of} /> : null}
    </>
  )
}

const factsOf = (person: Developer, isOn: boolean) => [
  { label: texts.name, value: nameOf(person) },
  { label: texts.email, value: person.email },
  {
    label: texts.twoFactor,
    value: isOn ? <State word={texts.on} tone="good" /> : <State word={texts.off} tone="warning" />,
  },
  { label: texts.lastLoginFrom, value: person.ip },
]
