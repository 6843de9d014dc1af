import { readOperation, writeOperation } from '../../http/operation.ts'
import { csrfValue } from '../../http/csrf.ts'
import { checkLogin, logIn } from './login.ts'
import { LOGIN_REFUSALS, loginAnswer, logOut } from './login-answers.ts'
import { changePassword, checkNewPassword, prepareChange } from '../developers/passwords.ts'
import { changePerson, checkPersonChange, preparePersonChange } from '../developers/person.ts'
import { checkRecaptchaGiven } from './recaptcha.ts'
import {
  Developer,
  DeveloperId,
  Login,
  LoginReply,
  PasswordChange,
  PersonChange,
  Session,
  UserLogin,
  UserLoginReply,
} from '../developers/schema.ts'
import { getSession } from './sessions.ts'
import { checkUserLogin, logInUser } from './user-login.ts'

export const signInOperations = [
  writeOperation({
    id: 'developers/log-in',
    summary: 'Log in a developer or a team member; sets the session cookie',
    method: 'POST',
    path: '/login.json',
    scopes: ['account'],
    caller: 'open',
    access: 'everybody',
    isLogin: true,
    params: DeveloperId,
    body: Login,
    status: 200,
    response: LoginReply,
    emits: [],
    refuses: LOGIN_REFUSALS,
    check: async (ctx, { body }, problems) => checkRecaptchaGiven(ctx, body, problems),
    prepare: (ctx, { scope, params, body }) => checkLogin(ctx, scope, params.developer_id, body),
    handle: async (ctx, { scope, body }, checked) => loginAnswer(ctx, await logIn(ctx, scope, body, checked)),
  }),
  writeOperation({
    id: 'keywright/log-out',
    summary: 'End the session',
    method: 'POST',
    path: '/logout.json',
    scopes: ['account'],
    caller: 'session',
    access: 'own.write',
    status: 204,
    emits: [],
    handle: (ctx, { scope }) => logOut(ctx, scope),
  }),
  readOperation({
    id: 'keywright/retrieve-session',
    summary: 'Say who is logged in, as what, and for how long',
    method: 'GET',
    path: '/session.json',
    scopes: ['account'],
    caller: 'session',
    access: 'own.read',
    status: 200,
    response: Session,
    handle: async (ctx, { scope }) => {
      const { tokenHash, ...session } = await getSession(ctx, scope)
      return { ...session, csrf_token: csrfValue(ctx, 'session', tokenHash) }
    },
  }),
  writeOperation({
    id: 'keywright/change-password',
    summary: "Change one's own password; ends every other session",
    method: 'PUT',
    path: '/password.json',
    scopes: ['account'],
    caller: 'session',
    access: 'own.write',
    body: PasswordChange,
    status: 204,
    emits: [],
    refuses: ['invalid_credentials'],
    check: (_, { body }, problems) => checkNewPassword(body, problems),
    prepare: (ctx, { scope, body }) => prepareChange(ctx, scope, body),
    handle: (ctx, { scope }, prepared) => changePassword(ctx, scope, prepared),
  }),
  writeOperation({
    id: 'keywright/update-person',
    summary: "Change one's own name, picture, language, time zone and address, which a mailed link confirms",
    method: 'PUT',
    path: '/person.json',
    scopes: ['account'],
    caller: 'session',
    access: 'own.write',
    body: PersonChange,
    status: 200,
    response: Developer,
    emits: [],
    refuses: ['developer_email_taken', 'invalid_credentials'],
    check: (_, { body }, problems) => checkPersonChange(body, problems),
    prepare: (ctx, { scope, body }) => preparePersonChange(ctx, scope, body),
    handle: (ctx, { scope, body }, password) => changePerson(ctx, scope, body, password),
  }),
  writeOperation({
    id: 'keywright/log-in-user',
    summary: "Log in a user at a site that holds the developer's secret key; issues an access token (FSA)",
    method: 'POST',
    path: '/users/login.json',
    scopes: ['root'],
    caller: 'open',
    access: 'everybody',
    body: UserLogin,
    status: 200,
    response: UserLoginReply,
    emits: [],
    refuses: ['invalid_credentials'],
    prepare: (ctx, { scope, body }) => checkUserLogin(ctx, scope, body),
    handle: (ctx, { scope, body }, checked) => logInUser(ctx, scope, body, checked),
  }),
]
