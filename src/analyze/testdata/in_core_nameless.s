# No symbol says that there is a function.
1:      vmulpd  %zmm1, %zmm0, %zmm0
        dec     %rdi
        jnz     1b
        ret
