/** Git names: the form of the commits and branches in events. An event is data, and what it names is given to git. */
import * as z from 'zod/mini';
import { lazy } from '../../base/lazy.ts';

const howCommit = 'a commit id in hexadecimal digits';
const howBranch = 'a branch below divisi/ or divisi-task/';

/** Empty where there is no repository. */
export const commitSchema = lazy(() => z.string(howCommit).check(z.regex(/^[0-9a-f]{0,64}$/, howCommit)));

/** A branch that Divisi made; empty where agents share the checkout. */
export const ownBranchSchema = lazy(() =>
  z.string(howBranch).check(z.regex(/^(?:divisi(?:-task)?\/\w[\w./-]*)?$/, howBranch)),
);
