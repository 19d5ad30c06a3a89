import type { ClientSettings } from '../client-settings.ts';
import type { PermissionRules } from '../permission-policy.ts';
import type { AcpWay } from '../profiles/profile.ts';

export interface AcpSettings extends ClientSettings {
  readonly way: AcpWay;
  readonly permissions: PermissionRules;
}
