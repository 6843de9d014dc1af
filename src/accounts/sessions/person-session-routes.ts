import { Type } from '../../lib/type.ts'
import { readOperation, writeOperation } from '../../http/operation.ts'
import { Arguments, Fields, Paging } from '../../http/wire.ts'
import {
  ForgottenPassword,
  Login,
  LoginReply,
  PersonSession,
  SeenSession,
  SessionId,
} from '../developers/schema.ts'
import { endOwnSession, getOwnSessions } from './own-sessions.ts'
import { mailPasswordLink } from './forgotten-password.ts'
import { checkLogin, logIn } from './login.ts'
import { getPersonSession } from './person-session.ts'
import { LOGIN_REFUSALS, loginAnswer, logOut } from './login-answers.ts'
import { checkRecaptchaGiven } from './recaptcha.ts'

/** The login of a person who need not know the number of an account: what the dashboard signs in by. */
export const personSessionOperations = [
  writeOperation({
    id: 'keywright/sign-in',
    summary: 'Log in by address and password alone; sets the session cookie',
    method: 'POST',
    path: '/login.json',
    scopes: ['root'],
    caller: 'open',
    access: 'everybody',
    isLogin: true,
    body: Login,
    status: 200,
    response: LoginReply,
    emits: [],
    refuses: LOGIN_REFUSALS,
    check: async (ctx, { body }, problems) => checkRecaptchaGiven(ctx, body, problems),
    prepare: (ctx, { scope, body }) => checkLogin(ctx, scope, null, body),
    handle: async (ctx, { scope, body }, checked) => loginAnswer(ctx, await logIn(ctx, scope, body, checked)),
  }),
  writeOperation({
    id: 'keywright/send-password-link',
    summary: 'Mail a link for another password; the answer is the same for every address',
    method: 'POST',
    path: '/password/forgotten.json',
    scopes: ['root'],
    caller: 'open',
    access: 'everybody',
    isAnybodys: true,
    isLogin: true,
    body: ForgottenPassword,
    status: 202,
    emits: [],
    prepare: async (ctx, { body }) => mailPasswordLink(ctx, body.email),
    handle: async () => undefined,
  }),
  readOperation({
    id: 'keywright/retrieve-person-session',
    summary: 'Say who is logged in, and what the person may do in which account',
    method: 'GET',
    path: '/session.json',
    scopes: ['root'],
    caller: 'session',
    access: 'own.read',
    status: 200,
    response: PersonSession,
    handle: (ctx, { scope }) => getPersonSession(ctx, scope),
  }),
  readOperation({
    id: 'keywright/list-sessions',
    summary: 'List where one is logged in, the latest login first',
    method: 'GET',
    path: '/sessions.json',
    scopes: ['root'],
    caller: 'session',
    access: 'own.read',
    query: Arguments({ ...Paging, ...Fields }),
    status: 200,
    response: Type.Object({ sessions: Type.Array(SeenSession) }),
    items: 'sessions',
    handle: async (ctx, { scope, query }) => ({ sessions: await getOwnSessions(ctx, scope, query) }),
  }),
  writeOperation({
    id: 'keywright/end-session',
    summary: "End a session of one's own, which is let in nowhere from then on",
    method: 'DELETE',
    path: '/sessions/{session_id}.json',
    scopes: ['root'],
    caller: 'session',
    access: 'own.write',
    params: SessionId,
    status: 204,
    emits: [],
    handle: (ctx, { scope, params }) => endOwnSession(ctx, scope, params.session_id),
  }),
  writeOperation({
    id: 'keywright/sign-out',
    summary: 'End the session, in whichever account it is',
    method: 'POST',
    path: '/logout.json',
    scopes: ['root'],
    caller: 'session',
    access: 'own.write',
    status: 204,
    emits: [],
    handle: (ctx, { scope }) => logOut(ctx, scope),
  }),
]
