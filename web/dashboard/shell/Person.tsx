import { Menu, useMantineColorScheme } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { nameOf } from '../format.tsx'
import { prefix } from '../../ui/server.ts'
import { HELP } from './Keyboard.tsx'
import { sessionQuery, signOut } from '../session.ts'
import { texts } from '../texts/texts.ts'

const LOOKS = [
  ['auto', texts.lookAuto],
  ['light', texts.lookLight],
  ['dark', texts.lookDark],
] as const
type Look = (typeof LOOKS)[number][0]

/** Who is signed in, how the pages look, and the way out. */
export function Person() {
  const { data: session } = useQuery(sessionQuery)
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { account = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const queries = useQueryClient()
  if (!session) return null
  const leave = async () => {
    await signOut().catch(() => undefined)
    queries.clear()
    await navigate({ to: '/sign-in' })
  }
  return (
    <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <button type="button" className="person">
          {nameOf(session.person)}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{session.person.email}</Menu.Label>
        <Menu.Item component={Link} to={`/${account}/profile`}>
          {texts.profile}
        </Menu.Item>
        <Menu.Divider />
        <div role="group" aria-label={texts.look}>
          <Menu.Label>{texts.look}</Menu.Label>
          <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as Look)}>
            {LOOKS.map(([value, label]) => (
              <Menu.RadioItem key={value} value={value} closeMenuOnClick>
                {label}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </div>
        <Menu.Divider />
        <Menu.Item onClick={() => document.dispatchEvent(new Event(HELP))}>{texts.keyboard}</Menu.Item>
        <Menu.Item component="a" href={`${prefix}/docs`} target="_blank">
          {texts.reference}
        </Menu.Item>
        <Menu.Item onClick={() => void leave()}>{texts.signOut}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
