/*
 * Keeps the static program from loading libraries of the machine.
 *
 * glibc looks names up by modules that /etc/nsswitch.conf names, such as mdns4_minimal or resolve. A static program would
 * load these with the libc that they were built for. Where that is another version, the process ends at the first name
 * (SIGFPE, seen with glibc 2.36 in the program and 2.41 on the machine). So no module is there: names come from
 * /etc/hosts and DNS, which are part of the program. `deploy/release` links it with --wrap=__libc_dlopen_mode.
 */
#include <stddef.h>

void *__wrap___libc_dlopen_mode(const char *name, int mode)
{
    (void)name;
    (void)mode;
    return NULL;
}
